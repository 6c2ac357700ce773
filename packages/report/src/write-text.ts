/**
 * Writes an outline as plain text. Lines break only between words, so that long names and URLs can
 * be copied. A long text repeats its verdict at the end, for readers who see only the end in a
 * terminal.
 */
import { cleanText, type Sentence, toAscii } from '@proofmark/domain';
import type { SummaryOutline } from './summary-outline.ts';

// Matches spaces at which a line may break. It excludes the space between a number and its percent
// sign.
const betweenWords = /(?<!\d) | (?!%)/;
const longText = 40;

export function writeText(
  outline: SummaryOutline,
  options: { readonly ascii: boolean; readonly width: number },
): string {
  const { ascii, width } = options;
  const paragraph = (sentence: Sentence, indent = '', hanging = indent) =>
    wrap(plainSentence(sentence, ascii).split(betweenWords), ' ', width, indent, hanging);
  const labelled = (label: string, sentence: Sentence, indent: string) =>
    paragraph([`${label}: `, ...sentence], indent, `${indent}  `);
  const blocks: string[][] = [
    [
      ...paragraph(outline.verdict),
      ...[...outline.about, outline.run].flatMap((sentence) => paragraph(sentence)),
      ...(outline.page ? labelled('Console', outline.page, '') : []),
      ...(outline.waiver ? paragraph(outline.waiver) : []),
      ...(outline.next ? labelled('Next', outline.next, '') : []),
    ],
  ];
  const list = (heading: string, sentences: readonly Sentence[]) => {
    if (sentences.length === 0) return;
    const rows = sentences.flatMap((sentence) => paragraph(sentence, '  ', '    '));
    blocks.push([...paragraph([heading]), ...rows]);
  };
  list('Quarantine', outline.quarantine);
  list('Case variants below their threshold', outline.cases);
  if (outline.passedCases.length > 0) {
    const rows = outline.passedCases.flatMap((sentence) => paragraph(sentence, '  ', '    '));
    if (outline.isTerse) blocks[0]?.push(...rows);
    else blocks.push(['Case variants that met their threshold', ...rows]);
  }
  if (outline.trialsHeading) blocks.push(paragraph(outline.trialsHeading));
  for (const { heading, strip, facts } of outline.trials) {
    blocks.push([
      ...paragraph(heading, '', '  '),
      ...(strip.length > 0 ? wrap(strip, '  ', width, '  ', '  ') : []),
      ...facts.flatMap(({ label, text }) => labelled(label, text, '  ')),
    ]);
  }
  if (outline.legend.length > 0) blocks.push(wrap(outline.legend, '  ', width, '', ''));
  list('Not shown', outline.notShown);
  if (blocks.flat().length > longText) blocks.push(paragraph(outline.verdict));
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

export function plainSentence(sentence: Sentence, ascii: boolean): string {
  return sentence
    .map((part) => {
      if (typeof part === 'string') return ascii ? toAscii(part) : part;
      const text = cleanText(part.theirs, ascii);
      return part.quoted ? `"${text}"` : text;
    })
    .join('');
}

function wrap(
  pieces: readonly string[],
  between: string,
  width: number,
  indent: string,
  hanging: string,
): string[] {
  const lines: string[] = [];
  let line = indent;
  let isEmpty = true;
  for (const piece of pieces) {
    if (!isEmpty && lengthOf(line) + between.length + lengthOf(piece) > width) {
      lines.push(line);
      line = hanging;
      isEmpty = true;
    }
    line += isEmpty ? piece : between + piece;
    isEmpty = false;
  }
  return [...lines, line];
}

function lengthOf(text: string): number {
  return [...text].length;
}
