/**
 * Writes an outline as Markdown for a comment on a pull request. Foreign text is always in code
 * spans: on one line, between more backticks than it has in a row. In a code span nothing is a
 * link, a mention, HTML, a heading or a table cell. Proofmark's own words, and addresses of
 * harmless characters, contain no Markdown syntax.
 */
import { cleanText, type Sentence, toAscii } from '@proofmark/domain';
import type { SummaryOutline } from './summary-outline.ts';

export function writeMarkdown(
  outline: SummaryOutline,
  { ascii }: { readonly ascii: boolean },
): string {
  const line = (sentence: Sentence) => inline(sentence, ascii);
  const bullets = (sentences: readonly Sentence[]) =>
    sentences.map((sentence) => `- ${line(sentence)}`).join('\n');
  const blocks = [
    `### ${line(outline.verdict)}`,
    ...[...outline.about, outline.run].map(line),
    ...(outline.page ? [`**Console:** ${line(outline.page)}`] : []),
    ...(outline.waiver ? [`> ${line(outline.waiver)}`] : []),
    ...(outline.next ? [`**Next:** ${line(outline.next)}`] : []),
    ...(outline.cases.length > 0
      ? ['#### Case variants below their threshold', bullets(outline.cases)]
      : []),
    ...(outline.passedCases.length > 0
      ? ['#### Case variants that met their threshold', bullets(outline.passedCases)]
      : []),
    ...(outline.trialsHeading ? [`#### ${line(outline.trialsHeading)}`] : []),
  ];
  for (const { heading, strip, facts } of outline.trials) {
    const rows = facts.map(({ label, text }) => `- **${label}:** ${line(text)}`);
    blocks.push(`##### ${line(heading)}`);
    blocks.push(
      [...(strip.length > 0 ? [`- **Stages:** ${strip.join(', ')}`] : []), ...rows].join('\n'),
    );
  }
  if (outline.legend.length > 0) blocks.push(`Signs: ${outline.legend.join(', ')}`);
  if (outline.notShown.length > 0) blocks.push('#### Not shown', bullets(outline.notShown));
  return `${blocks.join('\n\n')}\n`;
}

function inline(sentence: Sentence, ascii: boolean): string {
  return sentence
    .map((part) => {
      if (typeof part !== 'string') return codeSpan(cleanText(part.theirs, ascii));
      return ascii ? toAscii(part) : part;
    })
    .join('');
}

function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${text}${padding}${fence}`;
}
