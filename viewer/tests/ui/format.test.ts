import { describe, expect, it } from "vitest";
import * as format from "../../src/ui/format";

describe("Numbers for people", () => {
  it("have the digits that matter and no zeros behind them", () => {
    expect(format.formatNumber(1.5)).toBe("1.5");
    expect(format.formatNumber(-0.123456)).toBe("−0.12346");
    expect(format.formatNumber(0)).toBe("0");
    expect(format.formatNumber(1200)).toBe("1200");
  });

  it("use powers of ten where the plain number is long", () => {
    expect(format.formatNumber(1.5e-9)).toBe("1.5·10⁻⁹");
    expect(format.formatNumber(-2e12)).toBe("−2·10¹²");
  });

  it("keep their width while they change", () => {
    expect(format.formatSteady(0.5)).toBe("0.5000");
    expect(format.formatSteady(12.5)).toBe("12.500");
    expect(format.formatSteady(0)).toBe("0.0000");
    expect(format.formatSteady(-3e-7)).toBe("−3.000·10⁻⁷");
    expect(format.formatSteady(1234.5, 4)).toBe("1235");
    expect(format.formatSteady(123_456, 4)).toBe("123456");
    expect(format.formatSteady(-2e-4, 4)).toBe("0.000");
  });

  it("say what is not finite", () => {
    expect(format.formatNumber(Number.NaN)).toBe("not a number");
    expect(format.formatSteady(Number.NEGATIVE_INFINITY)).toBe("−∞");
  });

  it("have units with exponents raised", () => {
    expect(format.prettyUnit("kg m^2/s")).toBe("kg m²/s");
    expect(format.prettyUnit("s^-1")).toBe("s⁻¹");
  });

  it("are in degrees too where they are angles", () => {
    expect(format.inDegrees(Math.PI / 2, "rad")).toBe("90.0°");
    expect(format.inDegrees(-Math.PI, "rad/s")).toBe("−180.0°/s");
    expect(format.inDegrees(1, "m")).toBeNull();
  });
});

describe("Time", () => {
  it("shows the decimals that tell two rows apart", () => {
    expect(format.decimalsFor(0.01)).toBe(2);
    expect(format.decimalsFor(0.001)).toBe(3);
    expect(format.decimalsFor(0.0025)).toBe(3);
    expect(format.decimalsFor(5)).toBe(2);
    expect(format.decimalsFor(1e-12)).toBe(6);
    expect(format.decimalsFor(0)).toBe(3);
  });

  it("of a recording is in minutes and seconds", () => {
    expect(format.formatElapsed(65.9)).toBe("1:05");
  });

  it("never rounds up to done", () => {
    expect(format.formatPercent(0.9999)).toBe("99 %");
    expect(format.formatPercent(1)).toBe("100 %");
  });
});

describe("File names", () => {
  it("tell the model and the time", () => {
    expect(format.fileName("models/four bar.pol", 1.25, 3, "png")).toBe("four-bar_t1.250s.png");
  });

  it("hold nothing that a file system refuses", () => {
    expect(format.fileName('a:b*"c"/..', 0, 2, "webm")).toBe("polhode_t0.00s.webm");
    expect(format.fileName("crank & rod", 0, 2, "png")).toBe("crank-rod_t0.00s.png");
  });
});

describe("Labels of an axis", () => {
  it("have the decimals of the step", () => {
    expect(format.formatTicks([-0.5, 0, 0.5], 0.5)).toEqual(["−0.5", "0", "0.5"]);
    expect(format.formatTicks([12.001, 12.002], 0.001)).toEqual(["12.001", "12.002"]);
    expect(format.formatTicks([0, 2.5, 5, 7.5, 10], 2.5)).toEqual(["0", "2.5", "5.0", "7.5", "10.0"]);
    expect(format.formatTicks([0, 0.25, 0.5], 0.25)).toEqual(["0", "0.25", "0.50"]);
    expect(format.formatTicks([0, 20, 40], 20)).toEqual(["0", "20", "40"]);
  });

  it("share a power of ten where they are small or large", () => {
    expect(format.formatTicks([0, 5e-9, 1e-8], 5e-9)).toEqual(["0", "0.5·10⁻⁸", "1.0·10⁻⁸"]);
    expect(format.formatTicks([1e6, 2e6], 1e6)).toEqual(["1·10⁶", "2·10⁶"]);
  });

  it("name only the decades of a logarithmic one", () => {
    expect(format.formatPowers([1e-12, 2e-12, 1e-11, null])).toEqual(["10⁻¹²", "", "10⁻¹¹", ""]);
  });
});
