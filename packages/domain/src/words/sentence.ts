/**
 * Sentences that keep our own words and the words of others apart, so that whoever writes them out can
 * make the latter harmless. In say`Run ${theirs(title)}` the title is theirs; numbers, our own strings
 * and other sentences may be put in as they are.
 */
export type Sentence = readonly (string | Theirs)[];

export interface Theirs {
  readonly theirs: string;
  /** Where it stands for a name, a quotation needs marks in plain text. */
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

/** A name of theirs: a title, a tool, an id. */
export function theirs(text: string): Theirs {
  return { theirs: text, quoted: false };
}

/** Running text of theirs. */
export function quote(text: string): Theirs {
  return { theirs: text, quoted: true };
}

/** As a sentence, which one of theirs often is already. */
export function quoteSentence(text: string): Sentence {
  return /[.!?…]\s*$/.test(text) ? say`${quote(text)}` : say`${quote(text)}.`;
}

export function join(sentences: readonly Sentence[], between: string, last = between): Sentence {
  return sentences.flatMap((sentence, index) => {
    if (index === 0) return [...sentence];
    return [index === sentences.length - 1 ? last : between, ...sentence];
  });
}

/** A number with its unit. */
export function count(amount: number, unit: string): string {
  return `${grouped(amount)} ${amount === 1 ? unit : `${unit}s`}`;
}

/** A fraction as percent, with one decimal where it has one. */
export function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(1))} %`;
}

export function grouped(amount: number): string {
  return String(amount).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
