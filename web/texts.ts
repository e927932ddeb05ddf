import { type ComponentChildren, Fragment, h, options, type VNode } from 'preact';

/*
 * When a browser translates a page, it replaces text nodes with elements. Preact would still write to the nodes that it created, so the page
 * would show an old figure with a new unit, and Preact would throw when it inserts an element before such a node. Therefore each text is the
 * only content of an element, and is set on the element. Text in SVG is not translated (charts.tsx).
 */

type Props = { children?: ComponentChildren; textContent?: string };

const SVG = ['svg', 'text', 'style'];

const isText = (child: unknown): child is string | number =>
  typeof child === 'string' || typeof child === 'number';

const isShown = (child: unknown): boolean => child != null && typeof child !== 'boolean';

const inElements = (children: ComponentChildren): ComponentChildren => {
  if (Array.isArray(children)) return children.map(inElements);
  return isText(children) ? h('span', { class: 'bare', textContent: String(children) }) : children;
};

options.vnode = (vnode: VNode<Props>) => {
  const { type } = vnode;
  const { children, ...props } = vnode.props;
  const isElement = typeof type === 'string';
  if (children === undefined || SVG.some((name) => name === type)) return;
  if (!isElement && type !== Fragment) return;
  const shown = [children].flat(Number.POSITIVE_INFINITY).filter(isShown);
  const isOnlyText = isElement && shown.length > 0 && shown.every(isText);
  vnode.props = isOnlyText
    ? { ...props, children: undefined, textContent: shown.join('') }
    : { ...props, children: inElements(children) };
};
