import { conformance } from './conformance.ts';

conformance('strength-cards');
