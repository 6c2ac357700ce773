// `npm run generate`: writes the API document to docs/reference, where a test compares it with the
// rows. A change of the wire then shows as a change of a file, on purpose.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../packages/contract/src/openapi.ts';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const file = path.join(root, 'docs/reference/openapi.json');
writeFileSync(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
