/**
 * The order form of the sample bookshop: a widget (MCP Apps) that shows one book and orders copies
 * of it. It has one fault on purpose: it assumes that every result contains a book, and shows
 * nothing for a book that is sold out.
 */
export const orderFormUri = 'ui://sample-bookshop/order-form.html';

/**
 * The page implements the MCP Apps messages without a library, so that the sample needs no bundler.
 */
export const orderForm = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Order form</title>
<style>
  body { margin: 16px; font: 16px/1.5 system-ui, sans-serif; color: #1b1f24; background: #fff; }
  h1 { margin: 0 0 8px; font-size: 20px; }
  label { display: block; margin: 12px 0 4px; }
  input, button { font: inherit; padding: 6px 10px; }
  [role="status"] { min-height: 24px; }
</style>
<main></main>
<script>
  const waiting = new Map();
  let lastId = 0;
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const ask = (method, params) =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      send({ id: lastId, method, params });
    });
  const add = (parent, name, fields) => {
    const element = Object.assign(document.createElement(name), fields);
    parent.append(element);
    return element;
  };
  const show = ({ book }) => {
    const main = document.querySelector('main');
    add(main, 'h1', { textContent: book.title });
    add(main, 'p', { textContent: book.author + ', ' + book.price + ' each' });
    add(main, 'label', { textContent: 'Copies', htmlFor: 'copies' });
    const copies = add(main, 'input', { id: 'copies', type: 'number', min: 1, max: 10, value: 1 });
    const button = add(main, 'button', { textContent: 'Order' });
    const status = add(main, 'p', { role: 'status' });
    const height = Math.ceil(main.getBoundingClientRect().bottom) + 16;
    send({ method: 'ui/notifications/size-changed', params: { height } });
    button.onclick = async () => {
      const wanted = { bookId: book.bookId, copies: Number(copies.value) };
      const answer = await ask('tools/call', { name: 'order_book', arguments: wanted });
      const { text } = answer.content[0];
      status.textContent = answer.isError ? text : 'Ordered. Total: ' + JSON.parse(text).total;
    };
  };
  addEventListener('message', ({ source, data }) => {
    if (source !== parent) return;
    if (data.method === 'ui/notifications/tool-result') show(data.params.structuredContent);
    waiting.get(data.id)?.(data.result ?? { isError: true, content: [data.error] });
  });
  const appInfo = { name: 'order-form', version: '1.0.0' };
  ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo, appCapabilities: {} }).then(() =>
    send({ method: 'ui/notifications/initialized', params: {} }),
  );
</script>
</html>
`;
