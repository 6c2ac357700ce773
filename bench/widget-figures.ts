import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A document as large as a published widget. Most of it is script that the browser parses but never
 * runs.
 */
export const widgetDocument = `<!doctype html><style>body{font:16px sans-serif}td{border:1px solid #999;padding:4px}</style>
<h1></h1><table>${'<tr><td>Emma</td><td>1815</td><td>12.50</td></tr>'.repeat(20)}</table>
<script>function notCalled() { ${'console.log("some words of a library");'.repeat(8000)} }</script><script>
addEventListener('message', ({ data }) => {
  if (data.id === 1) parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} }, '*');
  if (data.method === 'ui/notifications/tool-result') document.querySelector('h1').textContent = data.params.structuredContent.title;
});
parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo: { name: 'bench', version: '1' }, appCapabilities: {} } }, '*');
</script>`;

/**
 * Returns the CPU of a process and all its descendants, including ended ones. Reads /proc, so it
 * works only on Linux.
 */
export function cpuSecondsBelow(pid: number): number {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const rows = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const below = new Set([pid]);
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const [own, parent] of rows) if (below.has(parent)) below.add(own);
  }
  return [...below].reduce((total, one) => total + cpuSeconds(one), 0);
}

function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    // User and system time of the process and of the ended child processes that it has waited for,
    // in hundredths of a second.
    return fields.slice(11, 15).reduce((total, one) => total + one, 0) / 100;
  } catch {
    return 0;
  }
}
