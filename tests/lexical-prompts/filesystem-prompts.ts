/** What people ask of a server that reads and writes files, with the call that answers it. */
import type { LabelledPrompt } from './labelled-prompt.ts';

export const filesystemPrompts: readonly LabelledPrompt[] = [
  ['Read the text file /data/notes.txt', 'read_text_file', { path: '/data/notes.txt' }],
  [
    'Show me the contents of the file /etc/app/config.yaml as text',
    'read_text_file',
    { path: '/etc/app/config.yaml' },
  ],
  [
    'Read the first 10 lines of the text file /var/log/app.log',
    'read_text_file',
    { path: '/var/log/app.log', head: 10 },
  ],
  [
    'Give me the last 25 lines of the text file logs/server.log',
    'read_text_file',
    { path: 'logs/server.log', tail: 25 },
  ],
  [
    'Examine the contents of the single file src/index.ts',
    'read_text_file',
    { path: 'src/index.ts' },
  ],
  ['Open the image /pictures/cat.png', 'read_media_file', { path: '/pictures/cat.png' }],
  [
    'Return the audio file sounds/bell.mp3 as base64',
    'read_media_file',
    { path: 'sounds/bell.mp3' },
  ],
  [
    'Read the media file /photos/2026/beach.jpg',
    'read_media_file',
    { path: '/photos/2026/beach.jpg' },
  ],
  ['Read the files /a.txt and /b.txt', 'read_multiple_files', { paths: ['/a.txt', '/b.txt'] }],
  [
    'Compare multiple files: docs/one.md, docs/two.md and docs/three.md',
    'read_multiple_files',
    { paths: ['docs/one.md', 'docs/two.md', 'docs/three.md'] },
  ],
  [
    'I need the contents of several files at once: /x/one.csv and /x/two.csv',
    'read_multiple_files',
    { paths: ['/x/one.csv', '/x/two.csv'] },
  ],
  [
    'Write "Hello world" to the file /tmp/hello.txt',
    'write_file',
    { path: '/tmp/hello.txt', content: 'Hello world' },
  ],
  [
    'Create a new file notes/todo.md with the content "Buy milk"',
    'write_file',
    { path: 'notes/todo.md', content: 'Buy milk' },
  ],
  [
    'Overwrite /srv/motd with "Maintenance tonight"',
    'write_file',
    { path: '/srv/motd', content: 'Maintenance tonight' },
  ],
  [
    'Save the text "draft" into a file at /home/me/draft.txt',
    'write_file',
    { path: '/home/me/draft.txt', content: 'draft' },
  ],
  [
    'Edit /app/config.ini, path: /app/config.ini, oldText: debug=true, newText: debug=false',
    'edit_file',
    { path: '/app/config.ini', edits: [{ oldText: 'debug=true', newText: 'debug=false' }] },
  ],
  [
    'In the file README.md make an edit that replaces "colour" with "color"',
    'edit_file',
    { path: 'README.md', edits: [{ oldText: 'colour', newText: 'color' }] },
  ],
  [
    'Preview an edit of /site/index.html as a dry run: oldText: "Hi", newText: "Hello"',
    'edit_file',
    { path: '/site/index.html', edits: [{ oldText: 'Hi', newText: 'Hello' }], dryRun: true },
  ],
  ['Create the directory /backups/2026', 'create_directory', { path: '/backups/2026' }],
  ['Make a new folder called projects/demo', 'create_directory', { path: 'projects/demo' }],
  [
    'Ensure that the directory /var/cache/app exists',
    'create_directory',
    { path: '/var/cache/app' },
  ],
  ['List the directory /home', 'list_directory', { path: '/home' }],
  ['What files are in /srv/www?', 'list_directory', { path: '/srv/www' }],
  ['Show a listing of src/components', 'list_directory', { path: 'src/components' }],
  ['List /downloads with file sizes', 'list_directory_with_sizes', { path: '/downloads' }],
  [
    'List the directory /var/log with sizes, sorted by size',
    'list_directory_with_sizes',
    { path: '/var/log', sortBy: 'size' },
  ],
  [
    'How big are the files in /data/export? Include the sizes in the listing',
    'list_directory_with_sizes',
    { path: '/data/export' },
  ],
  ['Show the directory tree of /project', 'directory_tree', { path: '/project' }],
  [
    'Give me a recursive tree view of packages/server',
    'directory_tree',
    { path: 'packages/server' },
  ],
  [
    'Directory tree of /repo, excludePatterns: node_modules, dist',
    'directory_tree',
    { path: '/repo', excludePatterns: ['node_modules', 'dist'] },
  ],
  [
    'Move /tmp/a.txt to /archive/a.txt',
    'move_file',
    { source: '/tmp/a.txt', destination: '/archive/a.txt' },
  ],
  [
    'Rename the file draft.md to final.md',
    'move_file',
    { source: 'draft.md', destination: 'final.md' },
  ],
  [
    'Please move the directory photos/old into photos/archive',
    'move_file',
    { source: 'photos/old', destination: 'photos/archive' },
  ],
  ['Search for files matching "*.log" in /var', 'search_files', { path: '/var', pattern: '*.log' }],
  [
    'Find all files with the pattern **/*.test.ts below packages/domain',
    'search_files',
    { path: 'packages/domain', pattern: '**/*.test.ts' },
  ],
  ['Recursively search /docs for *.md', 'search_files', { path: '/docs', pattern: '*.md' }],
  ['When was /etc/hosts last modified?', 'get_file_info', { path: '/etc/hosts' }],
  ['Get the metadata and permissions of bin/run.sh', 'get_file_info', { path: 'bin/run.sh' }],
  [
    'Tell me the size and creation time of the file /data/dump.sql',
    'get_file_info',
    { path: '/data/dump.sql' },
  ],
  ['Which directories may you access?', 'list_allowed_directories', {}],
  ['List the allowed directories', 'list_allowed_directories', {}],
  ['Send an email to Bob', 'none', {}],
  ['How tall is Mount Everest?', 'none', {}],
];
