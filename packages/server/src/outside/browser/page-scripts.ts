/** Scripts that run in the browser. They are text, because they cannot run in Node. */

export const hostUrl = 'http://host.invalid/';
export const widgetUrl = 'http://widget.invalid/';
export const firstView = { width: 800, height: 600 };
export const mostHeight = 2000;

/**
 * The page around the widget. The widget's frame has an opaque origin, so that it can access
 * neither this page nor any storage. Messages from the frame are queued here and read in batches,
 * so that a flood fills only the queue. If the queue is full, unimportant messages are dropped
 * first.
 */
export const hostDocument = `<!doctype html><meta charset=utf-8><title>Widget</title>
<style>html,body{margin:0;height:100%}iframe{border:0;display:block;width:100%;height:100%}</style>
<script>
const queue = []; let dropped = 0; let queued = 0; let wake;
addEventListener('message', (event) => {
  if (event.source !== frames[0]) return;
  const { jsonrpc, method } = event.data ?? {};
  const isSmallTalk = jsonrpc !== '2.0' || /^(ui\\/notifications\\/size-changed|notifications\\/message)$/.test(method);
  if (queue.length >= (isSmallTalk ? 500 : 1000)) { dropped += 1; return; }
  let text; try { text = JSON.stringify(event.data); } catch {}
  if (text === undefined || queued + text.length > 4194304) { dropped += 1; return; }
  queued += text.length; queue.push(text); wake?.();
});
function takeMessages() {
  return new Promise((resolve) => {
    const give = () => { wake = undefined; const count = dropped; dropped = 0; queued = 0; resolve({ texts: queue.splice(0), dropped: count }); };
    if (queue.length > 0) give(); else wake = give;
  });
}
function postAll(texts) { for (const text of texts) frames[0].postMessage(JSON.parse(text), '*'); }
</script>
<iframe sandbox="allow-scripts allow-forms" src="${widgetUrl}"></iframe>`;

/**
 * Runs before the widget's own scripts. Reports actions that the sandbox would block without an
 * error. A widget that removes this script gains no access; its actions are only missing in the
 * report.
 */
export const watchScript = `(() => {
  if (window === top) return;
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) { try { delete window[name]; } catch {} }
  if (parent !== top) return;
  const post = parent.postMessage.bind(parent);
  const refused = (what, url) => post({ proofmarkRefused: [what, String(url).slice(0, 2000)] }, '*');
  document.addEventListener('securitypolicyviolation', (event) => {
    if (event.disposition === 'enforce' && event.blockedURI !== 'inline' && event.blockedURI !== 'eval') {
      refused(event.effectiveDirective === 'form-action' || event.effectiveDirective === 'frame-src' ? 'navigation' : 'request', event.blockedURI);
    }
  });
  window.open = (url) => { refused('popup', url ?? ''); return null; };
  window.alert = (text) => { refused('dialog', text ?? ''); };
  window.confirm = (text) => { refused('dialog', text ?? ''); return false; };
  window.prompt = (text) => { refused('dialog', text ?? ''); return null; };
  addEventListener('click', (event) => {
    const link = event.composedPath().find((one) => one instanceof Element && one.matches('a[href],area[href]'));
    if (!link) return;
    if (link.hasAttribute('download')) refused('download', link.href);
    else if (/^_blank$|^[^_]/.test(link.target)) refused('popup', link.href);
  }, true);
})();`;

/** Resolves when something is visible, at the latest after 500 ms. */
export const shownScript = `new Promise((resolve) => {
  const until = performance.now() + 500;
  const visible = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && getComputedStyle(element).visibility !== 'hidden';
  };
  const isShown = () => document.body !== null && (document.body.innerText.trim() !== '' ||
    [...document.querySelectorAll('img,svg,canvas,video,input,button,select,textarea,iframe,[style]')].slice(0, 500).some(visible));
  const look = () => {
    if (document.readyState !== 'loading' && isShown()) resolve(true);
    else if (performance.now() > until) resolve(false);
    else setTimeout(look, 10);
  };
  look();
})`;

/**
 * Waits for the next frame, so that the effect of an action is drawn, and measures the document.
 */
export const settleScript = `new Promise((resolve) => {
  const measure = () => resolve({
    nodes: document.getElementsByTagName('*').length,
    characters: document.documentElement === null ? 0 : document.documentElement.outerHTML.length,
    isLoading: document.readyState === 'loading',
  });
  const timer = setTimeout(measure, 250);
  requestAnimationFrame(() => setTimeout(() => { clearTimeout(timer); measure(); }, 0));
})`;

export interface Measured {
  readonly nodes: number;
  readonly characters: number;
  readonly isLoading: boolean;
}

/**
 * Runs in the widget. Returns its text, and the part of the text that is drawn in the visible area.
 */
export const visibleTextScript = `(() => {
  const { body } = document;
  if (body === null) return { shown: '', seen: '' };
  const shown = body.innerText.slice(0, 200000);
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let seen = '';
  while (walker.nextNode() && seen.length < 200000) {
    const { currentNode: text } = walker;
    const { parentElement } = text;
    if (text.data.trim() === '' || parentElement === null) continue;
    if (!parentElement.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    range.selectNodeContents(text);
    const isThere = [...range.getClientRects()].some(
      ({ right, bottom, width, height }) =>
        width > 0 && height > 0 && right + scrollX > 0 && bottom + scrollY > 0,
    );
    if (isThere) seen += text.data;
  }
  return { shown, seen };
})()`;
