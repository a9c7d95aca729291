import { conformance } from './conformance.ts';

conformance('token-conflict');
