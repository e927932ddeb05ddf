/**
 * Returns an element of the page.
 * @throws Error when the page has no element of that ID and type
 */
export function byId<T extends Element>(id: string, type: abstract new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${type.name} with the ID ${id}.`);
}

/** Creates an element. Text is never parsed as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children);
  return created;
}

/** Resolves a CSS color in the current theme. */
export function resolvedColor(color: string): string {
  const probe = element('span');
  probe.style.color = color;
  // Forced colors would give all lines the same color.
  probe.style.setProperty('forced-color-adjust', 'none');
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}
