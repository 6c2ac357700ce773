// Loaded before a program that would listen on all interfaces: it then listens on 127.0.0.1 only, and says
// the port on stderr, so that nobody has to pick a free one beforehand.
import net from 'node:net';

const listen = net.Server.prototype.listen;

net.Server.prototype.listen = function listenOnLoopback(first, ...rest) {
  const port = portOf(first);
  if (port === undefined) return listen.call(this, first, ...rest);
  const callback = rest.findLast((value) => typeof value === 'function');
  if (callback !== undefined) this.once('listening', callback);
  this.once('listening', () => {
    process.stderr.write(`\nlistening at 127.0.0.1:${this.address().port}\n`);
  });
  // Listening with a host looks the host up first; some programs read their port at once and cannot wait.
  this._listen2('127.0.0.1', port, 4, 511);
  return this;
};

/** Nothing for a socket file or a handle, which is left as it is. */
function portOf(first) {
  if (first === undefined || first === null || typeof first === 'function') return 0;
  if (typeof first === 'number') return first;
  if (typeof first === 'string') return /^\d+$/.test(first) ? Number(first) : undefined;
  return 'port' in first ? Number(first.port ?? 0) : undefined;
}
