// A service with an open widget, which the test kills. Prints the id of the process that hosts its
// browser.
import { createWidgetRenderer } from '../../packages/server/src/outside/browser/create-widget-renderer.ts';
import { appDocument, findBrowserProcess, showWidget } from './widget-stage.ts';

const renderer = createWidgetRenderer({
  chromium: { path: process.argv[2] ?? '' },
  egress: { allowLoopback: false, allowedPrivateHosts: [] },
});
await showWidget(renderer, { html: appDocument('<p>Hi</p>') });
console.log(JSON.stringify({ room: findBrowserProcess()?.pid }));
setInterval(() => undefined, 1000);
