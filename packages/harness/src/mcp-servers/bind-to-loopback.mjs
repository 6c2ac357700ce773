// Preload for a program that would otherwise listen on all interfaces: the program listens on
// 127.0.0.1 only and prints its port on stderr. With port 0 the system chooses the port, so tests
// need not find a free one.
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
  // Listens through a private method. `listen` with a host resolves the host asynchronously first,
  // but some programs read their port immediately after the call.
  this._listen2('127.0.0.1', port, 4, 511);
  return this;
};

/**
 * Returns the requested port (default: 0), or undefined for a socket file or a handle, which must
 * not be rebound.
 */
function portOf(first) {
  if (first === undefined || first === null || typeof first === 'function') return 0;
  if (typeof first === 'number') return first;
  if (typeof first === 'string') return /^\d+$/.test(first) ? Number(first) : undefined;
  return 'port' in first ? Number(first.port ?? 0) : undefined;
}
