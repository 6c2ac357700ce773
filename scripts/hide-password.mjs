// Everybody on a machine can read the arguments of every process, so the password of a database address that was given
// as one is taken out of them, before anything else is loaded. The command itself still knows it.
const shown = process.argv.map(withoutPassword);
if (shown.some((part, at) => part !== process.argv[at])) process.title = shown.join(' ');

export function withoutPassword(text) {
  if (!/(^|=)postgres(ql)?:\/\//i.test(text)) return text;
  return text
    .replace(/(\/\/[^/?#\s]*?:)[^/?#\s]*@/, '$1***@')
    .replace(/([?&](?:password|sslpassword)=)[^&#]*/gi, '$1***');
}
