import { expect, test } from 'vitest';
import { concernedWidgets } from './concerned-widgets.ts';
import type { PlannedCase } from './planned-case.ts';

type Case = Pick<PlannedCase, 'steps' | 'assertions'>;

const act = {
  id: 'act',
  kind: 'interact',
  toolName: 'form',
  action: { kind: 'wait', ms: 1 },
} as const;
const see = {
  id: 'see',
  kind: 'assert',
  assertion: { kind: 'textVisible', toolName: 'list', text: 'Emma' },
} as const;
const check = (toolName?: string) =>
  ({ type: 'widgetRendered', ...(toolName !== undefined && { toolName }) }) as const;

test.each<[string, Case, readonly string[] | undefined, boolean]>([
  ['an action', { steps: [act], assertions: [] }, ['form'], false],
  ['an assertion on what it shows', { steps: [see], assertions: [] }, ['list'], false],
  ['both', { steps: [act, see], assertions: [] }, ['form', 'list'], false],
  ['one of the whole case', { steps: [], assertions: [check('form')] }, ['form'], false],
  ['one without a tool', { steps: [act], assertions: [check()] }, ['form'], true],
  [
    'one that advises',
    { steps: [], assertions: [{ ...check('form'), role: 'advisory' }] },
    ['form'],
    false,
  ],
  ['none', { steps: [], assertions: [{ type: 'noToolErrors' }] }, undefined, false],
])('a case with %s concerns those widgets', (_title, one, names, ofEveryTool) => {
  const concerned = concernedWidgets(one);
  if (names === undefined) expect(concerned).toBeUndefined();
  else expect(concerned).toEqual({ toolNames: new Set(names), ofEveryTool });
});
