// Baseline for rendering widgets: a bare Playwright loop. Each round opens a browser context, shows
// the document in a frame, answers the widget's handshake and takes a screenshot.
import { type Browser, chromium } from 'playwright-core';
import { cpuSecondsBelow, widgetDocument } from './widget-figures.ts';

const hostDocument = `<!doctype html><style>body{margin:0}iframe{border:0;width:800px;height:600px}</style><script>
addEventListener('message', ({ data, source }) => {
  const say = (message) => source.postMessage({ jsonrpc: '2.0', ...message }, '*');
  if (data.method === 'ui/initialize') say({ id: data.id, result: {} });
  if (data.method !== 'ui/notifications/initialized') return;
  say({ method: 'ui/notifications/tool-input', params: { arguments: {} } });
  say({ method: 'ui/notifications/tool-result', params: { content: [], structuredContent: { title: 'Emma' } } });
  window.isReady = true;
});</script><iframe sandbox="allow-scripts" src="http://widget.invalid/"></iframe>`;

const [path = '', count = '0', warmUp = '0'] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: path,
  args: ['--disable-gpu', '--site-per-process'],
  chromiumSandbox: process.getuid?.() !== 0,
});
for (let n = 0; n < Number(warmUp); n += 1) await show(browser);
const [cpu, at] = [cpuSecondsBelow(process.pid), performance.now()];
for (let n = 0; n < Number(count); n += 1) await show(browser);
const seconds = (performance.now() - at) / 1000;
console.log(JSON.stringify({ cpuSeconds: cpuSecondsBelow(process.pid) - cpu, seconds }));
await browser.close();

async function show(browser: Browser): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
  const page = await context.newPage();
  await page.route('http://*.invalid/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: route.request().url().includes('widget') ? widgetDocument : hostDocument,
    }),
  );
  await page.goto('http://host.invalid/');
  await page.waitForFunction('window.isReady');
  await page.frames()[1]?.waitForSelector('text=Emma');
  await page.screenshot();
  await context.close();
}
