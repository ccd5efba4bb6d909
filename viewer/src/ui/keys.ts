/** What a key can ask for. */
export type Action =
  | "toggle-play"
  | "step-forward"
  | "step-back"
  | "leap-forward"
  | "leap-back"
  | "to-start"
  | "to-end"
  | "faster"
  | "slower"
  | "real-time"
  | "toggle-loop"
  | "fit"
  | "view-front"
  | "view-side"
  | "view-top"
  | "view-corner"
  | "follow"
  | "layers"
  | "theme"
  | "picture"
  | "record"
  | "model-panel"
  | "plots-panel"
  | "info"
  | "search"
  | "zoom-in"
  | "zoom-out"
  | "zoom-reset"
  | "help"
  | "escape";

interface Binding {
  action: Action;
  /** As `KeyboardEvent.key` gives them, letters small. */
  keys: readonly string[];
  /** Only asked where one key does two things. */
  shift?: boolean;
  /** On the key caps of the help. */
  shown: readonly string[];
  help: string;
}

export interface KeyGroup {
  title: string;
  bindings: readonly Binding[];
}

export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    title: "Time",
    bindings: [
      { action: "toggle-play", keys: [" "], shown: ["Space"], help: "Play or pause" },
      { action: "step-back", keys: ["arrowleft"], shift: false, shown: ["←"], help: "One row back" },
      { action: "step-forward", keys: ["arrowright"], shift: false, shown: ["→"], help: "One row forward" },
      {
        action: "leap-back",
        keys: ["arrowleft"],
        shift: true,
        shown: ["Shift", "←"],
        help: "A twentieth back",
      },
      {
        action: "leap-forward",
        keys: ["arrowright"],
        shift: true,
        shown: ["Shift", "→"],
        help: "A twentieth forward",
      },
      { action: "to-start", keys: ["home"], shown: ["Home"], help: "To the start" },
      { action: "to-end", keys: ["end"], shown: ["End"], help: "To the end" },
      { action: "faster", keys: ["+", "="], shown: ["+"], help: "Faster" },
      { action: "slower", keys: ["-", "_"], shown: ["−"], help: "Slower" },
      { action: "real-time", keys: ["0"], shown: ["0"], help: "Real time" },
      { action: "toggle-loop", keys: ["o"], shown: ["O"], help: "Loop" },
    ],
  },
  {
    title: "Scene",
    bindings: [
      { action: "fit", keys: ["f"], shown: ["F"], help: "Fit everything in view" },
      { action: "view-front", keys: ["1"], shown: ["1"], help: "From the front" },
      { action: "view-side", keys: ["2"], shown: ["2"], help: "From the side" },
      { action: "view-top", keys: ["3"], shown: ["3"], help: "From the top" },
      { action: "view-corner", keys: ["4"], shown: ["4"], help: "From a corner" },
      { action: "follow", keys: ["c"], shown: ["C"], help: "Follow the selected body" },
      { action: "layers", keys: ["l"], shown: ["L"], help: "Layers" },
      { action: "picture", keys: ["p"], shown: ["P"], help: "Take a picture" },
      { action: "record", keys: ["r"], shown: ["R"], help: "Record a video, or stop" },
    ],
  },
  {
    title: "Panels and plots",
    bindings: [
      { action: "model-panel", keys: ["m"], shown: ["M"], help: "Model panel" },
      { action: "plots-panel", keys: ["g"], shown: ["G"], help: "Plots (graphs)" },
      { action: "info", keys: ["i"], shown: ["I"], help: "What was run" },
      { action: "search", keys: ["/"], shown: ["/"], help: "Search bodies and joints" },
      { action: "zoom-in", keys: ["z"], shift: false, shown: ["Z"], help: "Zoom plots in at the time shown" },
      { action: "zoom-out", keys: ["z"], shift: true, shown: ["Shift", "Z"], help: "Zoom plots out" },
      { action: "zoom-reset", keys: ["x"], shown: ["X"], help: "Plots: the whole run" },
      { action: "theme", keys: ["t"], shown: ["T"], help: "Light, dark or as the system" },
      { action: "help", keys: ["?"], shown: ["?"], help: "These keys" },
      { action: "escape", keys: ["escape"], shown: ["Esc"], help: "Close, or select nothing" },
    ],
  },
];

export interface KeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** What a key press asks for; null where it belongs to the browser. */
export function actionOf(press: KeyPress): Action | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  const key = press.key.toLowerCase();
  for (const group of KEY_GROUPS) {
    for (const binding of group.bindings) {
      if (!binding.keys.includes(key)) continue;
      if (binding.shift === undefined || binding.shift === press.shiftKey) return binding.action;
    }
  }
  return null;
}

/** The keys of an action, for tooltips; empty where it has none. */
export function shownKeys(action: Action): string {
  for (const group of KEY_GROUPS) {
    const binding = group.bindings.find((b) => b.action === action);
    if (binding !== undefined) return binding.shown.join("+");
  }
  return "";
}
