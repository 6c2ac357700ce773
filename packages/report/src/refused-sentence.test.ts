import { type RefusedTool, summaryOfRun, tallyRefusedCalls } from '@proofmark/domain';
import { describe, expect, it } from 'vitest';
import { githubAnnotations } from './github-report.ts';
import { refusedSentences } from './refused-sentence.ts';
import { renderSummary } from './render-summary.ts';
import { renderJunit } from './write-junit.ts';
import { plainSentence } from './write-text.ts';

const comment: RefusedTool = {
  serverName: 'Airtable',
  toolName: 'create_comment',
  by: 'allowWrites',
  calls: 3,
  trials: 2,
};
const sentencesOf = (...refused: RefusedTool[]) =>
  refusedSentences(refused).map((sentence) => plainSentence(sentence, false));

describe('what is said of refused calls', () => {
  it('is nothing where there are none', () => expect(sentencesOf()).toEqual([]));

  it('is the tool, how often, and how to allow it', () => {
    expect(sentencesOf(comment)).toEqual([
      'Refused by policy: create_comment (3 calls); allow it with allowWrites.',
    ]);
    expect(sentencesOf(comment, { ...comment, toolName: 'delete_page', calls: 1 })).toEqual([
      'Refused by policy: create_comment (3 calls) and delete_page (1 call); allow them with allowWrites.',
    ]);
  });

  it('promises allowWrites for nothing else', () => {
    const denied: RefusedTool = { ...comment, toolName: 'burn', by: 'toolPolicy' };
    expect(sentencesOf(denied)).toEqual(['Refused by policy: burn (3 calls).']);
    expect(sentencesOf(comment, denied)[0]).toMatch(
      /; allow those held for writing with allowWrites\.$/,
    );
  });

  it('names servers where there are several, and few tools of many', () => {
    expect(sentencesOf(comment, { ...comment, serverName: 'Notion' })[0]).toContain(
      'create_comment of Airtable (3 calls) and create_comment of Notion (3 calls)',
    );
    const many = Array.from({ length: 7 }, (_, at) => ({ ...comment, toolName: `write_${at}` }));
    expect(sentencesOf(...many)[0]).toMatch(/write_4 \(3 calls\) and 2 more tools; allow them/);
  });

  const run = {
    id: 'run_1',
    projectId: 'prj_1',
    source: 'api',
    status: 'completed',
    result: 'passed',
    verdictPolicyVersion: null,
    verdictSummary: null,
    iterationCount: 4,
    summary: { total: 4, passed: 4 },
    refusedCalls: [comment],
  };
  const sentence = /Refused by policy:.*create.?_comment.* \(3 calls\)/;

  it.each(['text', 'markdown', 'html'] as const)('stands below the verdict in %s', (format) => {
    expect(renderSummary(summaryOfRun(run), { format, width: 200 })).toMatch(sentence);
  });

  it('stands in JUnit and in annotations', () => {
    expect(renderJunit(summaryOfRun(run))).toMatch(sentence);
    expect(githubAnnotations(summaryOfRun(run), { isWaived: false })[0]).toMatch(sentence);
  });
});

it('calls are counted by tool, and trials once each', () => {
  const { serverName, toolName, by } = comment;
  const call = { serverName, toolName, by };
  const other = { ...call, toolName: 'delete_page' };
  expect(tallyRefusedCalls([[other, call, call], [], [call]])).toEqual([
    { ...call, calls: 3, trials: 2 },
    { ...other, calls: 1, trials: 1 },
  ]);
});

describe('a run in which nothing of a server was called', () => {
  const run = {
    id: 'run_1',
    projectId: 'prj_1',
    source: 'api',
    status: 'completed',
    result: 'passed',
    verdictPolicyVersion: null,
    verdictSummary: null,
    iterationCount: 2,
    summary: { total: 2, passed: 2 },
    nothingCalled: true,
  };
  const written: readonly (readonly [string, (read: typeof run) => string])[] = [
    ...(['text', 'markdown', 'html'] as const).map(
      (format) =>
        [format, (read: typeof run) => renderSummary(summaryOfRun(read), { format })] as const,
    ),
    ['JUnit', (read) => renderJunit(summaryOfRun(read))],
    ['GitHub', (read) => githubAnnotations(summaryOfRun(read), { isWaived: false }).join('\n')],
  ];

  it.each(written)('is not said to have passed in %s', (_, write) => {
    expect(write(run)).toContain('NOTHING CALLED');
    expect(write(run)).not.toContain('PASSED');
    expect(write({ ...run, nothingCalled: false })).not.toContain('NOTHING CALLED');
  });
});
