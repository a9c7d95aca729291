import { conformance } from './conformance.ts';

conformance('phased-dice');
