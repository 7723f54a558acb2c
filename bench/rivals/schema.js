/** The gateway's schema, so that the rivals validate operations against the same types. */
import { readdirSync, readFileSync } from 'node:fs';

const directory = new URL('../../schema/', import.meta.url);

export const typeDefs = readdirSync(directory)
  .map((file) => readFileSync(new URL(file, directory), 'utf8'))
  .join('\n');
