// Mouse, pen and fingers on a picture: a drag, a tap, two fingers that zoom, and the wheel.

const STILL = 5;  // pixels: a pointer that moved less has tapped

// `on` has move(dx, dy), zoom(factor, x, y) about a point of the box, hover(event or null) and tap(event).
export function pointers(box, on) {
  const down = new Map();  // pointers that are pressed: id -> the last event
  let moved = 0;

  function inBox(x, y) {
    const frame = box.getBoundingClientRect();
    return [x - frame.left, y - frame.top];
  }

  box.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    down.set(event.pointerId, event);
    moved = 0;
    box.setPointerCapture(event.pointerId);
  });

  box.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) { on.hover(event); return; }
    const [other, third] = [...down.values()].filter((finger) => finger.pointerId !== event.pointerId);
    if (other && !third) {
      const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
      const is = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
      on.zoom(is / Math.max(1, was), ...inBox((event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2));
    } else {
      on.move(event.clientX - before.clientX, event.clientY - before.clientY);
    }
    moved += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
    down.set(event.pointerId, event);
  });

  const lifted = (event) => {
    if (down.delete(event.pointerId) && event.type === "pointerup" && moved < STILL) on.tap(event);
  };
  box.addEventListener("pointerup", lifted);
  box.addEventListener("pointercancel", lifted);
  box.addEventListener("pointerleave", () => on.hover(null));

  // The wheel alone scrolls the page or the notebook; with Ctrl (or two fingers on a touchpad) it zooms.
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    on.zoom(Math.exp(-event.deltaY / 300), ...inBox(event.clientX, event.clientY));
  }, { passive: false });
}
