/** Writes the files of the package for typed clients into `dist/client`: SDL, introspection type, types of errors. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { minifyIntrospection, outputIntrospectionFile } from 'gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { readSchemaText } from '../build/graphql/schema.js';

const project = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(project, 'dist', 'client');
mkdirSync(folder, { recursive: true });

const sdl = readSchemaText();
writeFileSync(path.join(folder, 'schema.graphql'), sdl);

const introspection = minifyIntrospection(introspectionFromSchema(buildSchema(sdl)));
const file = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
// Keeps only the type, because the gql.tada declarations that follow it would affect every program that imports
// the file.
const [types = ''] = file.split(/^import \* as gqlTada/m);
writeFileSync(path.join(folder, 'introspection.d.ts'), `${types.trimEnd()}\n`);

const options = [
  '--ignoreConfig',
  '--declaration',
  '--emitDeclarationOnly',
  '--target',
  'es2023',
  '--module',
  'nodenext',
];
const compiler = path.join(project, 'node_modules', '.bin', 'tsc');
execFileSync(compiler, [...options, '--outDir', folder, path.join(project, 'src', 'errors.ts')], {
  stdio: 'inherit',
});
