/**
 * A first suite for a server, as a file for people: what every server should keep, a request for each of a few tools, and
 * one message that should lead to no call. Requests are drafted from what the tools say of themselves. A tool that changes
 * something is not called until somebody switches its case on; arguments that nobody knows are told to be samples.
 */
import { isHeldForWriting } from '../surfaces/held-for-writing.ts';
import { cleanText } from '../words/clean-text.ts';
import { draftCases, toolsInOrder } from './draft-cases.ts';
import type { DraftedCase, DraftTool } from './drafted-case.ts';

export interface FirstSuite {
  readonly serverName: string;
  readonly tools: readonly DraftTool[];
  readonly model: string;
}

const mostCases = 6;

export function firstSuiteText({ serverName, tools, model }: FirstSuite): string {
  const reading = toolsInOrder(tools).filter((tool) => !isHeldForWriting(tool));
  const writing = toolsInOrder(tools).filter(isHeldForWriting);
  const drafted = (some: readonly DraftTool[], negative: number) =>
    draftCases(some, {
      mix: { ...none, simple: Math.min(some.length, mostCases), negative },
    });
  const taken = new Set<string>(['surface']);
  const one = (isDisabled: boolean) => (draft: DraftedCase) => caseText(draft, taken, isDisabled);
  return [
    ...head(serverName, model),
    ...drafted(reading, 1).flatMap(one(false)),
    ...(writing.length === 0 ? [] : ['', ...changing]),
    ...drafted(writing, 0).slice(0, mostWriting).flatMap(one(true)),
    ...(tools.length > mostCases + mostWriting ? ['', ...moreTools(tools.length)] : []),
    '',
  ].join('\n');
}

const none = { simple: 0, multiTool: 0, multiTurn: 0, complex: 0, negative: 0 };
const mostWriting = 3;

function head(serverName: string, model: string): string[] {
  return [
    `# A first suite for ${cleanText(serverName, false)}: run it with \`proofmark test\`.`,
    '# Every request is worded as the tool describes itself; put in what your users say.',
    'schemaVersion: "1"',
    'suite:',
    `  id: ${idOf(serverName)}`,
    `  name: ${quoted(serverName)}`,
    'target:',
    '  servers:',
    `    - name: ${quoted(serverName)}`,
    'defaults:',
    '  # Built in: it goes by words alone and is no LLM. Name one of your models here.',
    `  model: ${model}`,
    '  repetitions: 1',
    'cases:',
    '  - id: surface',
    '    title: Every tool says what it does',
    '    steps:',
    '      - kind: assert',
    '        assertion:',
    '          type: toolDescriptionsPresent',
  ];
}

const changing = [
  '  # These tools seem to change something, so their cases are switched off. Take',
  '  # `disabled` away where the server under test may be changed.',
];

function moreTools(amount: number): string[] {
  return [`  # The server lists ${amount} tools; write cases for the others as above.`];
}

function caseText(
  { bucket, title, turns }: DraftedCase,
  taken: Set<string>,
  isDisabled: boolean,
): string[] {
  const isNegative = bucket === 'negative';
  const hasSamples = turns.some(({ expected }) =>
    expected.some((call) => isMadeUp(call.arguments)),
  );
  // Whoever reads that the case failed reads why it may be so.
  const about = `Finds ${title}${hasSamples ? ', with sample values' : ''}`;
  const steps = turns.flatMap(({ prompt, expected }) => [
    '      - kind: prompt',
    `        prompt: ${quoted(prompt)}`,
    ...expected.flatMap(({ toolName, arguments: args }) => [
      '      - kind: assert',
      '        assertion:',
      '          type: toolCalledWith',
      `          toolName: ${quoted(toolName)}`,
      ...(isMadeUp(args) ? ['          # Samples: put values that your server knows.'] : []),
      `          arguments: ${JSON.stringify(args)}`,
    ]),
  ]);
  return [
    '',
    ...(isNegative ? ['  # Nothing to do for any tool: none should be called.'] : []),
    `  - id: ${freeId(idOf(isNegative ? 'small-talk' : title), taken)}`,
    `    title: ${quoted(isNegative ? 'Small talk calls no tool' : about)}`,
    ...(isDisabled ? ['    disabled: true'] : []),
    ...(isNegative ? ['    isNegativeTest: true'] : []),
    '    steps:',
    ...steps,
  ];
}

function isMadeUp(args: unknown): boolean {
  return JSON.stringify(args).includes('sample');
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  taken.add(id);
  return id;
}

function idOf(text: string): string {
  const id = text
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100);
  return id === '' ? 'server' : id;
}

/** As it is where YAML reads it as the same text, else in quotes. */
function quoted(text: string): string {
  const isPlain = /^[A-Za-z][A-Za-z0-9 _/().,'-]*[A-Za-z0-9.)]$/.test(text);
  const isWord = /^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain && !isWord && text.length < 200 ? text : JSON.stringify(text);
}
