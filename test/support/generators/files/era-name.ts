import { type EraFileName, eraFilesAmong } from '#core/blocks/files/source.ts';

/** Parses the name of an era file. @throws Error when it is not valid */
export function eraName(file: string): EraFileName {
  const [name] = eraFilesAmong([file]);
  if (!name) throw new Error(`${file} is not valid`);
  return name;
}
