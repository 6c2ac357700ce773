/**
 * The memory of all processes of a browser together is limited. A widget above the limit must get
 * the message about memory, whichever process grew.
 */
import { afterAll, expect, test } from 'vitest';
import { ProcessTree } from '../../packages/server/src/outside/browser/process-tree.ts';
import {
  appDocument,
  findBrowserProcess,
  showWidget,
  startRenderer,
  unlessLost,
} from './widget-stage.ts';

const mb = 1024 * 1024;
const memoryBytes = 700 * mb;
const renderer = startRenderer({ answerMs: 3000, memoryBytes });
afterAll(() => renderer.close());

const text = (shown: string) => ({ kind: 'textVisible', toolName: 'show', text: shown }) as const;
const expected =
  /^The browser of the widget used \d+(\.\d)? [MG]iB of memory; at most 700 MiB are allowed, and failed again when it was shown alone in a new browser\.$/;

/**
 * Widgets that fill memory, by the process that grows: the widget's page, or the browser itself.
 */
const greedy: Readonly<Record<string, string>> = {
  'buffers, in its page': `const all = []; setInterval(() => all.push(new Uint8Array(2e7).fill(1)), 50);`,
  'blobs, in the browser itself': `const all = []; setInterval(() => all.push(new Blob([new Uint8Array(4e7).fill(1)])), 50);`,
};
const others: typeof greedy = {
  canvases: `const all = []; setInterval(() => { const one = document.createElement('canvas'); one.width = one.height = 3000; one.getContext('2d').fillRect(0, 0, 3000, 3000); document.body.append(one); }, 80);`,
  'memory of WebAssembly': `const all = []; setInterval(() => { const one = new WebAssembly.Memory({ initial: 400 }); new Uint8Array(one.buffer).fill(1); all.push(one); }, 50);`,
  'buffers of workers': `const work = URL.createObjectURL(new Blob(['const all = []; setInterval(() => all.push(new Uint8Array(1e7).fill(1)), 50)'])); for (let n = 0; n < 4; n += 1) new Worker(work);`,
};

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function isBoundedWith(script: string): Promise<void> {
  let mostBytes = 0;
  const looking = setInterval(() => {
    const browserProcess = findBrowserProcess();
    if (browserProcess === undefined) return;
    const processes = new ProcessTree(browserProcess.pid).read();
    const bytes = processes.reduce((sum, one) => sum + one.anonymousBytes + one.sharedBytes, 0);
    mostBytes = Math.max(mostBytes, bytes);
  }, 200);
  try {
    const widget = await showWidget(renderer, { html: appDocument('<p>Hi</p>', script) });
    // On a busy machine the widget exceeds the limit even before it is shown.
    if (widget.rendering.status === 'rendered') await sleep(4000);
    else expect(widget.rendering.message).toMatch(expected);
    const answer = await widget.ask(text('Hi'));
    expect(answer).toEqual({ ok: false, broken: true, reason: expect.stringMatching(expected) });
    expect(widget.broken).toMatch(expected);
    // The samples of this test may miss the peak, so what the browser used is read in the message.
    const [, used = '', unit] = /used (\S+) ([MG])iB/.exec(widget.broken ?? '') ?? [];
    expect(Number(used) * (unit === 'G' ? 1024 : 1)).toBeGreaterThanOrEqual(700);
    await widget.close();
  } finally {
    clearInterval(looking);
  }
  // The browser's memory is sampled only ten times a second, and an ended process frees its memory
  // a moment later, so the peak may exceed the limit.
  expect(mostBytes).toBeLessThan(3 * memoryBytes);
}

test.each(Object.entries(greedy))('%s', (_, script) => unlessLost(() => isBoundedWith(script)));
test.each(Object.entries(others))('%s', (_, script) => unlessLost(() => isBoundedWith(script)));

test('nobody asks it anything more: it is told when it is looked at for the last time', async () => {
  const script = greedy['buffers, in its page'];
  const widget = await showWidget(renderer, { html: appDocument('<p>Hi</p>', script) });
  await sleep(4000);
  expect(await widget.accessibility()).toEqual([]);
  expect(widget.broken).toMatch(expected);
  await widget.close();
});

test('a page that grows ends alone, and one beside it in the same browser goes on', async () => {
  const quiet = await showWidget(renderer, { html: appDocument('<p>Quiet</p>') });
  const script = greedy['buffers, in its page'];
  const widget = await showWidget(renderer, { html: appDocument('<p>Hi</p>', script) });
  await sleep(4000);
  expect(await quiet.ask(text('Quiet'))).toEqual({ ok: true });
  expect(await widget.ask(text('Hi'))).toMatchObject({ broken: true });
  await widget.close();
  await quiet.close();
});

test('a browser that a widget beside it took down is lost for the others, and not theirs', async () => {
  const quiet = await showWidget(renderer, { html: appDocument('<p>Quiet</p>') });
  const script = greedy['blobs, in the browser itself'];
  const widget = await showWidget(renderer, { html: appDocument('<p>Hi</p>', script) });
  await sleep(4000);
  await expect(quiet.ask(text('Quiet'))).rejects.toThrow('worked when it was shown again alone');
  expect(await widget.ask(text('Hi'))).toMatchObject({ broken: true });
  await widget.close();
  await quiet.close();
});
