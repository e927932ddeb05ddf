/**
 * Whether a client has what a strong entity tag names. A gateway that compresses makes the tag a weak one.
 * @param ifNoneMatch the header: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
export const isKnown = (tag: string, ifNoneMatch = ''): boolean =>
  ifNoneMatch
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === tag || each === '*');
