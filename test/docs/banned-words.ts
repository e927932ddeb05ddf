/*
 * Words that read as translated, or that this project once used for a term of the field, each with its replacement.
 * language.test.ts refuses them in every text of the repository. A space matches any white space, even in comments of two lines.
 */

/** Patterns of whole words, in any letter case. */
export const bannedWords: Readonly<Record<string, string>> = {
  anew: 'again; "derived from" or "rebuilt from"',
  'mend(s|ed|ing)?': 'fix, repair',
  '(tells?|told|telling) of': 'reports, describes',
  '(is|are|was|were|be|being|been) asked for': 'requested; name who requests it',
  '(goes|go|going|went) on': 'continues, remains',
  'is there': 'exists, is present, runs',
  'in the place of': 'instead of; "replaces"',
  'by (itself|themselves|oneself)': 'on its own; "separately"',
  'a cut': 'a slice',
  'what is left': 'the rest, the remainder',
  'the same lie': 'the same wrong value',
  'small letters?': 'lower case',
  '(takes?|took|taken|taking) up': 'resume, load, occupy',
  '(comes?|came|coming) about': 'happen, result',
  whoever: 'name the reader: "an operator who", "anyone who"',
  'so many': 'the number; "this many"',
  'as far as': 'up to, until',
  'left alone': 'unavailable, cooling down',
  'roll call': 'endpoint probe',
  'second look': 'cross-check',
  'tally|tallies': 'RunStats, statistics of a run',
  verdict: 'report, result',
  unwell: 'failing its checks',
  'whole days?': 'complete day',
  'e-mails?|(an?|the|no|its|own|one|two|daily|alarm) mails?|is mailed': 'email',
  '\\d+(\\.\\d+)? %(?!})': 'a percent sign without a space',
  '(?<=[.:] )of [^.,:?=]{1,30}:(?= )': 'for …; "… only"',
  '(?<!there )(is|are|was|were) no (?!longer|less|more|other)\\w+': 'is not a …',
  'sums and controls': 'sums and checks',
  '(rate|speed) that \\w+ bears': 'can sustain',
};

/** Doc comments begin with a verb ("Reads …") or a noun phrase ("A block header as …"). */
export const bannedCommentStarts = ['What', 'How', 'Where', 'Whether', 'Why', 'That which', 'Of'];
