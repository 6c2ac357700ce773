/**
 * A sentence whose parts from outside are marked, so that every output can escape them. In say`Run
 * ${theirs(title)}`, the title comes from outside. Numbers, our own strings and other sentences
 * need no mark.
 */
export type Sentence = readonly (string | Theirs)[];

export interface Theirs {
  readonly theirs: string;
  /** Whether the text is a sentence or phrase, which is put in quotation marks, and not a name. */
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

export function theirs(text: string): Theirs {
  return { theirs: text, quoted: false };
}

export function quote(text: string): Theirs {
  return { theirs: text, quoted: true };
}

export function quoteSentence(text: string): Sentence {
  return /[.!?…]\s*$/.test(text) ? say`${quote(text)}` : say`${quote(text)}.`;
}

export function join(sentences: readonly Sentence[], between: string, last = between): Sentence {
  return sentences.flatMap((sentence, index) => {
    if (index === 0) return [...sentence];
    return [index === sentences.length - 1 ? last : between, ...sentence];
  });
}

export function count(amount: number, unit: string): string {
  return `${grouped(amount)} ${amount === 1 ? unit : `${unit}s`}`;
}

export function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(1))} %`;
}

export function grouped(amount: number): string {
  return String(amount).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
