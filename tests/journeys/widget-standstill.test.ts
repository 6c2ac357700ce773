/**
 * While our browser is stopped or gets no CPU, the time limit of a step is extended. This time must
 * not count as a failure of the widget.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, afterEach, expect, test } from 'vitest';
import {
  BrowserLost,
  type WidgetAnswer,
} from '../../packages/server/src/outside/browser/widget-renderer.ts';
import {
  appDocument,
  findBrowserProcess,
  showWidget,
  startRenderer,
  theBrowser,
} from './widget-stage.ts';

const renderer = startRenderer({ answerMs: 3000 });
const hogs: ChildProcess[] = [];
afterEach(() => {
  for (const hog of hogs.splice(0)) hog.kill('SIGKILL');
});
afterAll(() => renderer.close());

const withinMs = 1500;
/** A button that appears after half of a step's time. No other button ever appears. */
const slow = appDocument(
  '<p>Hi</p>',
  `setTimeout(() => { const one = document.createElement('button'); one.textContent = 'Go'; document.body.append(one); }, 700);`,
);
const click = (text: string) => ({ kind: 'click', target: { text } }) as const;

function standStill(pid: number | undefined, forMs: number): void {
  if (pid === undefined) throw new Error('There is no such process.');
  process.kill(pid, 'SIGSTOP');
  setTimeout(() => process.kill(pid, 'SIGCONT'), forMs);
}

function graded(answer: Promise<WidgetAnswer>): Promise<WidgetAnswer | 'lost'> {
  return answer.catch((error: unknown) => {
    if (error instanceof BrowserLost) return 'lost' as const;
    throw error;
  });
}

test.each([
  ['the browser', theBrowser],
  ['the room', findBrowserProcess],
])('a step during which %s stood still has its time afterwards', async (_, find) => {
  const widget = await showWidget(renderer, { html: slow, withinMs });
  standStill(find()?.pid, 2500);
  expect(await widget.act(click('Go'))).toEqual({ ok: true });
  await widget.close();
});

test('a step that the widget itself fails is graded, also where the browser stood still meanwhile', async () => {
  const widget = await showWidget(renderer, { html: slow, withinMs });
  standStill(theBrowser()?.pid, 2500);
  const answer = await graded(widget.act(click('Buy')));
  // A concurrent test may take so much CPU that the step has no result (`lost`).
  if (answer !== 'lost') expect(answer).toMatchObject({ ok: false });
  await widget.close();
});

test('on a machine that others keep busy, a step that the widget would have done is done, or nothing is said', async () => {
  const works = appDocument(
    '<button>Work</button>',
    `document.querySelector('button').onclick = () => { let sum = 0; for (let n = 0; n < 2e8; n += 1) sum += n; document.body.append(document.createElement('hr'), 'Done ' + (sum > 0)); };`,
  );
  for (let count = 0; count < 20; count += 1) {
    hogs.push(spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }));
  }
  const widget = await showWidget(renderer, { html: works, withinMs }).catch((error: unknown) => {
    expect(error).toBeInstanceOf(BrowserLost);
  });
  if (widget === undefined) return;
  const answers = [await graded(widget.act(click('Work')))];
  const done = { kind: 'textVisible', toolName: 'show', text: 'Done true' } as const;
  if (answers[0] !== 'lost') answers.push(await graded(widget.ask(done)));
  for (const answer of answers) if (answer !== 'lost') expect(answer).toEqual({ ok: true });
  await widget.close();
});
