/**
 * The browser for widgets must have a separate user and a sandbox where possible, and a warning
 * where not.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserFound, browserWarnings } from '@proofmark/domain';
import { afterEach, describe, expect, test } from 'vitest';
import type { WidgetRenderer } from '../../packages/server/src/outside/browser/widget-renderer.ts';
import {
  appDocument,
  findBrowserProcess,
  processesBelow,
  showWidget,
  startRenderer,
} from './widget-stage.ts';

const chromium = process.env['PROOFMARK_CHROMIUM'] ?? '';
const isRoot = process.getuid?.() === 0;
const html = appDocument('<p>Hi</p>');
const open: WidgetRenderer[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const renderer of open.splice(0)) await renderer.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function started(options: Parameters<typeof startRenderer>[0] = {}) {
  const found: BrowserFound[] = [];
  const renderer = startRenderer({ ...options, onBrowser: (one) => found.push(one) });
  open.push(renderer);
  return { renderer, found };
}

function withoutNamespaces(mode: number): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'proofmark-browser-'));
  folders.push(folder);
  chmodSync(folder, mode);
  const file = path.join(folder, 'chromium');
  const says = '[1:1:1118/1.1:FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox!';
  writeFileSync(
    file,
    `#!/bin/sh\ncase "$*" in *--no-sandbox*) exec ${chromium} "$@" ;; esac\necho '${says}' >&2\nexit 1\n`,
  );
  chmodSync(file, 0o755);
  return file;
}

function userOf(pid: number): string | undefined {
  return /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
}

describe.runIf(isRoot)('as root', () => {
  test('the browser runs as another user, in its sandbox, and nothing is to be warned of', async () => {
    const { renderer, found } = started();
    const widget = await showWidget(renderer, { html });
    expect(widget.rendering.status).toBe('rendered');
    const browserPid = findBrowserProcess()?.pid ?? 0;
    const below = processesBelow(browserPid).filter(({ command }) => command.includes(chromium));
    const users = below.map(({ pid }) => userOf(pid));
    expect(users.length).toBeGreaterThan(3);
    expect(new Set(users)).toEqual(new Set(['65534']));
    expect(userOf(browserPid)).toBe('65534');
    expect(found).toEqual([
      {
        version: expect.stringMatching(/^\d+\.\d+/),
        user: 'nobody',
        sandboxed: true,
        memoryBounded: true,
        failedBefore: [],
      },
    ]);
    expect(browserWarnings(found[0] as BrowserFound)).toEqual([]);
    expect(await renderer.browser()).toEqual({ found: found[0] });
    await widget.close();
  });

  test('without namespaces it goes without its sandbox, still as another user, and says so', async () => {
    const { renderer } = started({ chromium: { path: withoutNamespaces(0o755) } });
    const state = await renderer.browser();
    expect(state).toMatchObject({ found: { sandboxed: false, user: 'nobody' } });
    const [warning] = browserWarnings((state as { found: BrowserFound }).found);
    expect(warning).toMatch(
      /without its sandbox, as the user nobody: .*Tried as the user nobody, with its sandbox: The browser could not be started: Chromium sandboxing failed\. .*PROOFMARK_CHROMIUM_SANDBOX=required/,
    );
    expect(warning).not.toContain('..');
    const widget = await showWidget(renderer, { html });
    expect(widget.rendering.status).toBe('rendered');
    await widget.close();
  });

  test('one that only root may run is run by root, and says so', async () => {
    const { renderer } = started({ chromium: { path: withoutNamespaces(0o700) } });
    expect(await renderer.browser()).toMatchObject({
      found: {
        sandboxed: false,
        user: 'root',
        failedBefore: [expect.any(String), expect.any(String)],
      },
    });
  });

  test('where a sandbox is required it is not started without, and says how to get one', async () => {
    const path = withoutNamespaces(0o755);
    const { renderer } = started({ chromium: { path }, sandbox: 'required' });
    expect(await renderer.browser()).toEqual({
      missing: expect.stringMatching(
        /could not be started\. .*Chromium sandboxing failed\. .*RestrictNamespaces/,
      ),
    });
    await expect(showWidget(renderer, { html })).rejects.toThrow('Chromium sandboxing failed');
  });
});

test('who asks again is answered from what was found, and nothing is left running', async () => {
  const { renderer, found } = started();
  const [first, second] = await Promise.all([renderer.browser(), renderer.browser()]);
  expect(second).toEqual(first);
  expect(await renderer.browser()).toEqual(first);
  expect(found).toHaveLength(1);
  await expect.poll(() => findBrowserProcess()).toBeUndefined();
});
