/**
 * Returns whether an If-None-Match header names a strong entity tag. The weak form matches too: a gateway that compresses
 * a response weakens its tag.
 * @param header https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
export const matchesIfNoneMatch = (tag: string, header = ''): boolean =>
  header
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === tag || each === '*');
