// Preloaded before a program that would listen on all interfaces: the program then listens on
// 127.0.0.1 only, and its port is printed on stderr, so that no test must find a free port first.
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
  // Listening with a host would look up the host first; some programs read their port at once and
  // cannot wait.
  this._listen2('127.0.0.1', port, 4, 511);
  return this;
};

/** Returns undefined for a socket file or a handle, which stays unchanged. */
function portOf(first) {
  if (first === undefined || first === null || typeof first === 'function') return 0;
  if (typeof first === 'number') return first;
  if (typeof first === 'string') return /^\d+$/.test(first) ? Number(first) : undefined;
  return 'port' in first ? Number(first.port ?? 0) : undefined;
}
