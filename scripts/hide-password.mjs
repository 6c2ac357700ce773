// Every user of a machine can read the arguments of every process. The password of a database
// address is therefore removed from the process title before anything else is loaded. The command
// itself keeps the password.
const shown = process.argv.map(withoutPassword);
if (shown.some((part, at) => part !== process.argv[at])) process.title = shown.join(' ');

export function withoutPassword(text) {
  if (!/(^|=)postgres(ql)?:\/\//i.test(text)) return text;
  return text
    .replace(/(\/\/[^/?#\s]*?:)[^/?#\s]*@/, '$1***@')
    .replace(/([?&](?:password|sslpassword)=)[^&#]*/gi, '$1***');
}
