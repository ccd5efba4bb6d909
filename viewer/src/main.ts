document.title = "Polhode";
