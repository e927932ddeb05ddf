/** Part of the window's height below which an element counts as out of sight. */
const LOW = 0.6;
/** Height of the controls that cover the top of the window, in CSS pixels. */
const COVERED = 56;

/** Moves the focus to an element, and the window if the element's top is out of sight. */
export function showElement(element: HTMLElement | null): void {
  if (!element) return;
  element.focus({ preventScroll: true });
  const { top } = element.getBoundingClientRect();
  if (top < COVERED || top > innerHeight * LOW) element.scrollIntoView({ block: 'start' });
}

/** Does the same once the page is drawn again. */
export const showNext = (id: string): void => {
  requestAnimationFrame(() => showElement(document.getElementById(id)));
};
