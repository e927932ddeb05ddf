import * as z from 'zod/mini';

/* The index of the files with all final days, which everyone may read. */

export const INDEX = 'index.json';

const count = z.int().check(z.nonnegative());

const fileSchema = z.object({
  /** A chain and, from its second part on, a number, such as `ETHEREUM.2.csv`. */
  name: z.string().check(z.regex(/^[A-Z_]+(\.\d{1,3})?\.(csv|parquet)$/)),
  sha256: z.string(),
  bytes: count,
  days: count,
});

/** More than any service has, since what another one names is read into memory. */
const MAX = { chains: 200, files: 8 };

export const indexSchema = z.object({
  written_at: z.iso.datetime(),
  licence: z.string(),
  chains: z
    .array(
      z.object({
        /** Another version may have chains that this one does not know. */
        chain: z.string(),
        days: count,
        first_day: z.iso.date(),
        last_day: z.iso.date(),
        /** In the order of their days. */
        files: z.array(fileSchema).check(z.maxLength(MAX.files)),
      }),
    )
    .check(z.maxLength(MAX.chains)),
});

export type PublicIndex = z.output<typeof indexSchema>;
export type ChainFiles = PublicIndex['chains'][number];
