import type { ButtonHTMLAttributes } from 'preact';

/** A button that does not stand out. It submits no form. */
export const Button = (props: ButtonHTMLAttributes) => <button type="button" class="quiet" {...props} />;
