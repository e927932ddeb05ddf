/** The reason why a file is no era file of the chain, in words for an operator. Thrown inside `core/era` only. */
export class EraFileError extends Error {
  override readonly name = 'EraFileError';
}
