/**
 * Chooses who compresses a page, as data out is most of what a page costs. API Gateway compresses for callers that prefer gzip or deflate. The
 * function does so for all others that allow gzip: without the header, any coding is allowed. https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
 * @returns undefined when the caller forbids gzip
 */
export function compressorFor(acceptEncoding: string | undefined): 'gateway' | 'function' | undefined {
  if (acceptEncoding === undefined) return 'function';
  const weights = weightsOf(acceptEncoding);
  const { gzip = weights['*'] ?? 0, deflate = 0, identity = 0 } = weights;
  if (Math.max(weights.gzip ?? 0, deflate) > identity) return 'gateway';
  return gzip > 0 ? 'function' : undefined;
}

/** Returns the weight of each coding that the header names. One that is not a number allows nothing. */
function weightsOf(acceptEncoding: string): Readonly<Record<string, number>> {
  const parts = acceptEncoding.toLowerCase().split(',');
  return Object.fromEntries(
    parts.map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, weight === undefined ? 1 : Number(weight.slice(2))];
    }),
  );
}
