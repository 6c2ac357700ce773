/**
 * Measures our renderer: renders per minute with one warm browser, one at a time. The baseline is a
 * bare Playwright loop that shows the same document. Both alternate, and the better result of each
 * counts. Needs Linux and a Chromium.
 */
import { fileURLToPath } from 'node:url';
import { startChild } from '@proofmark/harness/start-child.ts';
import { createWidgetRenderer } from '../packages/server/src/outside/browser/create-widget-renderer.ts';
import { findChromium } from '../packages/server/src/outside/browser/find-chromium.ts';
import { cpuSecondsBelow, widgetDocument } from './widget-figures.ts';

interface WidgetFigure {
  readonly cpuSeconds: number;
  readonly seconds: number;
}

const [count, warmUp, rounds] = [40, 5, 2];
const chromium = findChromium(process.env['PROOFMARK_CHROMIUM'], process.env);
if ('missing' in chromium) throw new Error(chromium.missing);
const { path } = chromium;
const bareProgram = fileURLToPath(new URL('./bare-widget.child.ts', import.meta.url));

const figures = { bare: [] as WidgetFigure[], own: [] as WidgetFigure[] };
for (let round = 0; round < rounds; round += 1) {
  const bare = startChild(bareProgram, [path, String(count), String(warmUp)]);
  figures.bare.push((await bare.first) as unknown as WidgetFigure);
  await bare.closed;
  figures.own.push(await measureOwn());
}
const [bare, own] = [best(figures.bare), best(figures.own)];
console.log(
  [
    `${count} widgets, one at a time in a warm browser, best of ${rounds}, Node ${process.version}`,
    line('bare Playwright', bare),
    line('Proofmark', own),
    `ratio            ${(own.cpuSeconds / bare.cpuSeconds).toFixed(2)} times its CPU (aim: at most 1.5), ${(own.seconds / bare.seconds).toFixed(2)} times its time`,
  ].join('\n'),
);

async function measureOwn(): Promise<WidgetFigure> {
  const egress = { allowLoopback: false, allowedPrivateHosts: [] };
  const renderer = createWidgetRenderer({ chromium: { path }, egress });
  const show = async () => {
    const widget = await renderer.open(
      {
        html: widgetDocument,
        dialect: 'mcpApps',
        origins: { connect: [], resource: [] },
        tool: { name: 'bench', inputSchema: { type: 'object' } },
        input: {},
        result: { content: [], structuredContent: { title: 'Emma' } },
        hostContext: {},
        withinMs: 10_000,
      },
      { callTool: async () => ({}), readResource: async () => ({}) },
      new AbortController().signal,
    );
    if (widget.rendering.status !== 'rendered') throw new Error(widget.rendering.message);
    await widget.picture();
    await widget.close();
  };
  try {
    for (let n = 0; n < warmUp; n += 1) await show();
    const [cpu, at] = [cpuSecondsBelow(process.pid), performance.now()];
    for (let n = 0; n < count; n += 1) await show();
    const seconds = (performance.now() - at) / 1000;
    return { cpuSeconds: cpuSecondsBelow(process.pid) - cpu, seconds };
  } finally {
    await renderer.close();
  }
}

function best(all: readonly WidgetFigure[]): WidgetFigure {
  return all.reduce((one, other) => (other.cpuSeconds < one.cpuSeconds ? other : one));
}

function line(name: string, { cpuSeconds, seconds }: WidgetFigure): string {
  const perMinute = ((count / seconds) * 60).toFixed(0);
  return `${name.padEnd(17)}${perMinute} renders a minute  ${((cpuSeconds / count) * 1000).toFixed(0)} ms CPU each, browser included`;
}
