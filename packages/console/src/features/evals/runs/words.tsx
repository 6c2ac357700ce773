/** Renders a sentence. Parts from outside, such as a tool's name, lose their control characters. */
import { cleanText, type Sentence } from '@proofmark/domain';

export function Words({ sentence }: { sentence: Sentence }) {
  return sentence.map((part, index) => {
    if (typeof part === 'string') return keepPercent(part);
    const text = cleanText(part.theirs, false);
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move.
    return <bdi key={index}>{part.quoted ? `“${text}”` : text}</bdi>;
  });
}

export function keepPercent(text: string): string {
  return text.replaceAll(/(?<=\d) %/g, '\u00a0%');
}

export function splitVerdict(sentence: Sentence): { verdict: string; rest: Sentence } {
  const [opening, ...others] = joinOwn(sentence);
  if (typeof opening !== 'string') return { verdict: '', rest: sentence };
  const end = opening.indexOf(': ') + 1;
  return { verdict: opening.slice(0, end), rest: [opening.slice(end), ...others] };
}

function joinOwn(sentence: Sentence): Sentence {
  const first = sentence.findIndex((part) => typeof part !== 'string');
  const own = first === -1 ? sentence : sentence.slice(0, first);
  return [own.join(''), ...(first === -1 ? [] : sentence.slice(first))];
}
