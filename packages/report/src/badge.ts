/**
 * Draws the verdict of a test as a small SVG for a README, without scripts, fonts or external
 * resources. Its title states the same in words for screen readers.
 */
import { cleanText, count, grouped } from '@proofmark/domain';
import { escapeMarkup } from './escape-markup.ts';
import type { TestVerdict } from './test-document.ts';

export interface BadgeContent {
  readonly verdict: TestVerdict;
  readonly passed: number;
  readonly total: number;
  readonly suites: readonly string[];
}

/** Each colour has a contrast of at least 4.5 to white text. */
const colours: Readonly<Record<TestVerdict, string>> = {
  passed: '#12692f',
  failed: '#a81e1e',
  inconclusive: '#7a5200',
};

const label = 'Proofmark';
const height = 20;
const padding = 6;
/** An estimate that is wide enough for most characters. `textLength` then fits the text. */
const characterWidth = 6.4;

export function badgeSvg(content: BadgeContent): string {
  const { verdict, passed, total } = content;
  const words = verdict === 'inconclusive' ? verdict : `${passedOf(passed, total)} passed`;
  const left = widthOf(label);
  const right = widthOf(words);
  const width = left + right;
  const title = escapeMarkup(titleOf(content));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
  <title id="title">${title}</title>
  <rect width="${width}" height="${height}" rx="3" fill="${colours[verdict]}"/>
  <path d="M3 0h${left - 3}v${height}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#3a4048"/>
  <g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" aria-hidden="true">
    ${textAt(padding, label, left)}
    ${textAt(left + padding, words, right)}
  </g>
</svg>
`;
}

function passedOf(passed: number, total: number): string {
  return `${grouped(passed)}/${grouped(total)}`;
}

function titleOf({ verdict, passed, total, suites }: BadgeContent): string {
  const [only = '', ...others] = suites;
  const named = others.length === 0 ? cleanText(only, false) : count(suites.length, 'suite');
  return `Proofmark, ${named}: ${verdict}, ${grouped(passed)} of ${count(total, 'case')} passed`;
}

function widthOf(text: string): number {
  return Math.round(text.length * characterWidth) + 2 * padding;
}

function textAt(x: number, text: string, width: number): string {
  return `<text x="${x}" y="14" textLength="${width - 2 * padding}" lengthAdjust="spacingAndGlyphs">${escapeMarkup(text)}</text>`;
}
