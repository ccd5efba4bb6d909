import type { Scene } from "./scene";

/** What a run says about itself before its first row. */
export interface RunHeader {
  /** Short and telling the runs of one page apart: the method, or the file's name. */
  label: string;
  model: string;
  method: string;
  version: string;
  /** As they were in force. */
  options: [name: string, value: string][];
  /** Time at the start, and when it is meant to end [s]. */
  time: [number, number];
  /**
   * Those of the table that `polhode run --out` writes (t, coordinates, speeds, kinetic, potential, energy, constraint), then
   * momentum.x, .y, .z and angular-momentum.x, .y, .z.
   */
  columns: { name: string; unit: string }[];
  scene: Scene;
}

export type RunState = "running" | "finished" | "failed";
