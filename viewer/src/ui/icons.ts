/** Drawn on a grid of 20 by 20 with lines of 1.5; a path that begins with `#` is filled. */
const PATHS = {
  play: ["#M6.5 4.2v11.6c0 .6.6 1 1.1.6l8.6-5.8c.4-.3.4-.9 0-1.2L7.6 3.6c-.5-.4-1.1 0-1.1.6z"],
  pause: ["#M5.5 4h3v12h-3z", "#M11.5 4h3v12h-3z"],
  "step-back": ["#M13.5 4.8v10.4L6.5 10z", "M4.8 4.8v10.4"],
  "step-forward": ["#M6.5 4.8v10.4L13.5 10z", "M15.2 4.8v10.4"],
  loop: [
    "M4 9.5V8.5a2.5 2.5 0 0 1 2.5-2.5H15",
    "M13 3.5 15.5 6 13 8.5",
    "M16 10.5v1a2.5 2.5 0 0 1-2.5 2.5H5",
    "M7 16.5 4.5 14 7 11.5",
  ],
  tree: ["M4 4.5h5", "M6 4.5V14.5h3.5", "M6 9.5h3.5", "M12 9.5h4.5", "M12 14.5h4.5"],
  plots: ["M3.5 3.5v13h13", "M6 12.5c2-6 3.5-6 5-2.5s3 2 5-4"],
  camera: [
    "M4 6.5h2.5l1.2-2h4.6l1.2 2H16a1 1 0 0 1 1 1V15a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7.5a1 1 0 0 1 1-1z",
    "M10 8.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
  ],
  record: ["M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z", "#M10 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6z"],
  stop: ["#M5.5 5.5h9v9h-9z"],
  layers: ["M10 3.2 17 7l-7 3.8L3 7z", "M3.5 10.2 10 13.7l6.5-3.5", "M3.5 13.3 10 16.8l6.5-3.5"],
  view: ["M10 2.8 16.2 6.3v7.4L10 17.2 3.8 13.7V6.3z", "M3.8 6.3 10 9.8l6.2-3.5", "M10 9.8v7.4"],
  fit: ["M3.5 7.5v-4h4", "M12.5 3.5h4v4", "M16.5 12.5v4h-4", "M7.5 16.5h-4v-4", "M8 8h4v4H8z"],
  sun: [
    "M10 6.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4z",
    "M10 2.5v1.7M10 15.8v1.7M2.5 10h1.7M15.8 10h1.7M4.7 4.7l1.2 1.2M14.1 14.1l1.2 1.2M4.7 15.3l1.2-1.2M14.1 5.9l1.2-1.2",
  ],
  moon: ["M16.2 11.8A6.7 6.7 0 0 1 8.2 3.8a6.7 6.7 0 1 0 8 8z"],
  system: ["M3.5 4.5h13v8.5h-13z", "M7.5 16.5h5", "M10 13v3.5"],
  info: ["M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14z", "M10 9.2v4.3", "M10 6.5v.1"],
  help: ["M3 6h14v8.5H3z", "M5.8 8.7h.1M8.6 8.7h.1M11.4 8.7h.1M14.2 8.7h.1M6.5 11.8h7"],
  search: ["M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4z", "M12.7 12.7 16.5 16.5"],
  "zoom-in": ["M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4z", "M12.7 12.7 16.5 16.5", "M9 6.8v4.4M6.8 9h4.4"],
  "zoom-out": ["M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4z", "M12.7 12.7 16.5 16.5", "M6.8 9h4.4"],
  close: ["M5 5l10 10M15 5 5 15"],
  plus: ["M10 4.5v11M4.5 10h11"],
  minus: ["M4.5 10h11"],
  reset: ["M4.5 10a5.5 5.5 0 1 0 1.8-4.1L4 8", "M4 4v4h4"],
  chevron: ["M8 5.5l4.5 4.5L8 14.5"],
  more: [
    "#M5 8.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6z",
    "#M10 8.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6z",
    "#M15 8.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6z",
  ],
  body: ["M10 3.5 15.8 6.8v6.4L10 16.5 4.2 13.2V6.8z"],
  joint: ["M10 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z", "M2.5 10h5M12.5 10h5"],
  eye: [
    "M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5z",
    "M10 7.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z",
  ],
  "eye-off": [
    "M4.3 7.5C3.1 8.7 2.5 10 2.5 10S5 15 10 15c1 0 1.9-.2 2.7-.5M8 5.2c.6-.1 1.3-.2 2-.2 5 0 7.5 5 7.5 5s-.6 1.3-1.8 2.5",
    "M3.5 3.5l13 13",
  ],
  follow: ["M10 4.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z", "M10 2.5v4M10 13.5v4M2.5 10h4M13.5 10h4"],
  trace: ["M3.5 15c1-7 4-10 6.5-6.5s4.5 1 6.5-4.5"],
  warning: ["M10 3.5 17.5 16.5h-15z", "M10 8.5v3.5", "M10 14.3v.1"],
} as const satisfies Record<string, readonly string[]>;

export type IconName = keyof typeof PATHS;

const SVG = "http://www.w3.org/2000/svg";

/** Hidden from screen readers: what has an icon also has a name. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  for (const d of PATHS[name]) {
    const path = document.createElementNS(SVG, "path");
    const filled = d.startsWith("#");
    path.setAttribute("d", filled ? d.slice(1) : d);
    if (filled) path.setAttribute("class", "filled");
    svg.append(path);
  }
  return svg;
}
