/** A place on the canvas, and how far from it something may be to be meant [CSS pixels]. */
export interface Aim {
  x: number;
  y: number;
  tolerance: number;
}

/** Tells clicks and taps from drags, and where the mouse rests. */
export function watchPointer(
  canvas: HTMLCanvasElement,
  onClick: (aim: Aim) => void,
  onHover: (aim: Aim) => void,
): void {
  let pressed: { x: number; y: number } | null = null;
  const aimOf = (event: PointerEvent, tolerance: number): Aim => {
    const frame = canvas.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top, tolerance };
  };
  canvas.addEventListener("pointerdown", (event) => {
    pressed = event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
  });
  canvas.addEventListener("pointerup", (event) => {
    const from = pressed;
    pressed = null;
    if (!from || event.button !== 0 || Math.hypot(event.clientX - from.x, event.clientY - from.y) > 6) return;
    onClick(aimOf(event, event.pointerType === "mouse" ? 4 : 14));
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse" && event.buttons === 0) onHover(aimOf(event, 2));
  });
}
