/**
 * Sentences that keep our own words and those of others apart, so that every output can make the
 * latter harmless. In say`Run ${theirs(title)}` the title is theirs; numbers, our own strings and
 * other sentences may be inserted unchanged.
 */
export type Sentence = readonly (string | Theirs)[];

export interface Theirs {
  readonly theirs: string;
  /** Whether it is running text, which needs quotation marks in plain text, and not a name. */
  readonly quoted: boolean;
}

export function say(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | Theirs | Sentence)[]
): Sentence {
  return strings.flatMap((text, index) => {
    const value = values[index];
    if (value === undefined) return [text];
    if (typeof value === 'number') return [text, grouped(value)];
    return typeof value === 'string' || 'theirs' in value ? [text, value] : [text, ...value];
  });
}

/** Marks a name of others: a title, a tool, an id. */
export function theirs(text: string): Theirs {
  return { theirs: text, quoted: false };
}

/** Marks running text of others. */
export function quote(text: string): Theirs {
  return { theirs: text, quoted: true };
}

/** Quotes text of others as a sentence, with a full stop unless it has an end mark. */
export function quoteSentence(text: string): Sentence {
  return /[.!?…]\s*$/.test(text) ? say`${quote(text)}` : say`${quote(text)}.`;
}

export function join(sentences: readonly Sentence[], between: string, last = between): Sentence {
  return sentences.flatMap((sentence, index) => {
    if (index === 0) return [...sentence];
    return [index === sentences.length - 1 ? last : between, ...sentence];
  });
}

/** Returns a number with its unit. */
export function count(amount: number, unit: string): string {
  return `${grouped(amount)} ${amount === 1 ? unit : `${unit}s`}`;
}

/** Returns a fraction as percent, with one decimal if it is not zero. */
export function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(1))} %`;
}

export function grouped(amount: number): string {
  return String(amount).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
