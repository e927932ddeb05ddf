/**
 * An element of the page.
 * @throws Error when the page has none of that name and kind
 */
export function byId<T extends Element>(id: string, kind: abstract new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} with the id ${id}`);
}

type Child = Node | string;

/** A new element with attributes and children. Text is never read as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** What a CSS color comes to at this moment, be it light or dark. */
export function resolvedColor(color: string): string {
  const probe = element('span');
  probe.style.color = color;
  // Or else all lines would be of one color where the system forces its own.
  probe.style.setProperty('forced-color-adjust', 'none');
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}
