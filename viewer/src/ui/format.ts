const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function superscript(n: number): string {
  const digits = String(Math.abs(n)).replace(/\d/g, (d) => SUPERSCRIPTS[Number(d)] ?? "");
  return n < 0 ? `⁻${digits}` : digits;
}

/** A true minus sign is as wide as a digit and a plus. */
function signed(text: string): string {
  return text.replace("-", "−");
}

/** For people: `digits` significant ones, powers of ten where the plain number would be long. */
export function formatNumber(x: number, digits = 5): string {
  if (Number.isNaN(x)) return "not a number";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  if (x === 0) return "0";
  const [mantissa = "0", power = "0"] = x.toExponential(digits - 1).split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= digits + 1) {
    return `${signed(trimZeros(mantissa))}·10${superscript(exponent)}`;
  }
  return signed(trimZeros(x.toFixed(Math.max(0, digits - 1 - exponent))));
}

function trimZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Always `digits` significant ones, so that a value that changes keeps its width. */
export function formatSteady(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return formatNumber(x);
  if (x === 0) return (0).toFixed(digits - 1);
  const size = Math.abs(x);
  if (size < 1e-4 || size >= 1e6) {
    const [mantissa = "0", power = "0"] = x.toExponential(digits - 2).split("e");
    return `${signed(mantissa)}·10${superscript(Number(power))}`;
  }
  const whole = Math.max(1, Math.floor(Math.log10(size)) + 1);
  const text = x.toFixed(Math.max(0, digits - whole));
  return /[1-9]/.test(text) ? signed(text) : text.replace("-", "");
}

/** `kg m^2/s` as kg m²/s. */
export function prettyUnit(unit: string): string {
  return unit
    .replace(/\^(-?\d+)/g, (_, n: string) => superscript(Number(n)))
    .replace(/\*/g, "·")
    .trim();
}

/** Angles in degrees beside the radians of the engine; null for other units. */
export function inDegrees(x: number, unit: string): string | null {
  if (unit !== "rad" && unit !== "rad/s") return null;
  const degrees = signed(((x * 180) / Math.PI).toFixed(1));
  return unit === "rad" ? `${degrees}°` : `${degrees}°/s`;
}

/** Decimals that tell two rows `step` seconds apart from each other. */
export function decimalsFor(step: number): number {
  if (!(step > 0)) return 3;
  return Math.min(6, Math.max(2, Math.ceil(-Math.log10(step) - 1e-9)));
}

export function formatTime(t: number, decimals: number): string {
  return signed(t.toFixed(decimals));
}

export function formatSpeed(speed: number): string {
  return `${speed}×`;
}

export function formatPercent(fraction: number): string {
  return `${Math.floor(Math.min(Math.max(fraction, 0), 1) * 100)} %`;
}

/** Minutes and seconds of a recording. */
export function formatElapsed(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Name of a picture or video: the model and the time, in letters that every file system takes. */
export function fileName(model: string, time: number, decimals: number, extension: string): string {
  const base = model.split(/[/\\]/).at(-1) ?? "";
  const plain = base
    .replace(/\.[A-Za-z0-9]{1,4}$/, "")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return `${plain === "" ? "polhode" : plain}_t${time.toFixed(decimals)}s.${extension}`;
}

/** How many decimals it takes to write a step in full: 1 for 2.5, 2 for 0.25. */
function decimalsOf(step: number): number {
  const most = Math.min(12, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)) + 1);
  const needsLast = Math.abs(step * 10 ** (most - 1) - Math.round(step * 10 ** (most - 1))) > 1e-6;
  return most === 0 || needsLast ? most : most - 1;
}

/** Labels of an axis, all with the decimals that its step needs; one power of ten for all where numbers are large or small. */
export function formatTicks(values: readonly number[], step: number): string[] {
  const largest = values.reduce((a, v) => Math.max(a, Math.abs(v)), 0);
  if (largest === 0) return values.map(() => "0");
  const exponent = Math.floor(Math.log10(largest) + 1e-9);
  const plain = exponent >= -3 && exponent < 5;
  const scale = plain ? 0 : exponent;
  const decimals = decimalsOf(Math.max(step, largest * 1e-12) / 10 ** scale);
  return values.map((v) => {
    if (Math.abs(v) < step * 1e-6) return "0";
    const mantissa = signed((v / 10 ** scale).toFixed(decimals));
    return plain ? mantissa : `${mantissa}·10${superscript(scale)}`;
  });
}

/** Labels of a logarithmic axis: powers of ten only. */
export function formatPowers(values: readonly (number | null)[]): string[] {
  return values.map((v) => {
    if (v === null || v <= 0) return "";
    const exponent = Math.log10(v);
    return Math.abs(exponent - Math.round(exponent)) < 1e-6 ? `10${superscript(Math.round(exponent))}` : "";
  });
}
