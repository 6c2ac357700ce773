import type { Sentence } from '@proofmark/domain';
import { describe, expect, it } from 'vitest';
import { caseNamer } from './case-name.ts';
import { decidedSummary } from './example-summaries.ts';
import { renderSummary } from './render-summary.ts';

const derived = (digit: string) => `k_${digit.repeat(40)}`;
const [one, other] = [derived('1'), derived('2')];

function names(ids: readonly string[], titles?: Readonly<Record<string, string>>): string[] {
  const nameOf = caseNamer(
    ids.map((caseId) => ({ caseId })),
    titles,
  );
  return ids.map((id) => text(nameOf(id)));
}

function text(sentence: Sentence): string {
  return sentence.map((part) => (typeof part === 'string' ? part : part.theirs)).join('');
}

describe('a case of a decision is called', () => {
  it('by its title, with the id that somebody chose', () => {
    const titles = { [one]: 'Finds an order', refund: 'Refunds it', same: 'same' };
    expect(names([one, one, 'refund', 'same'], titles)).toEqual([
      ...['Finds an order', 'Finds an order', 'Refunds it (refund)', 'same'],
    ]);
  });

  it('by its title and id where two have one title', () => {
    expect(names([one, other], { [one]: 'Weather', [other]: 'Weather' })).toEqual([
      ...[`Weather (${one})`, `Weather (${other})`],
    ]);
  });

  it('by its id where no title was kept', () => {
    const ids = [one, 'refund', '__proto__', 'constructor'];
    expect(names(ids)).toEqual(ids);
    expect(names(ids, {})).toEqual(ids);
  });

  it('the same in a summary, also of models, in 80 columns', () => {
    const summary = decidedSummary(['fff', 'ppp', 'ff'], [], {}, 'lexical-1');
    const titles = { case_1: 'Finds an order by the e-mail of the customer', case_2: 'Refunds it' };
    const written = renderSummary(summary, { format: 'text', caseTitles: titles });
    expect(written).toContain(
      [
        'Case variants below their threshold',
        '  Finds an order by the e-mail of the customer (case_1) on lexical-1 (local): 0',
        '    of 3 graded trials passed (0 %, 95 % interval 0 % to 56.1 %); 80 % of them',
        '    must pass.',
        '  case_3 on lexical-1 (local): 0 of 2 graded trials passed (0 %, 95 % interval',
        '    0 % to 65.8 %); 80 % of them must pass.',
      ].join('\n'),
    );
  });
});
