import { describe, expect, it } from 'vitest';
import { createDetector } from '../../detector.js';

function people(text: string, language: string): string[] {
  return createDetector({ language, entities: ['PERSON'] })
    .detectSync(text)
    .map(({ start, end }) => text.slice(start, end));
}

describe('a surname, told by what stands before it', () => {
  it.each([
    ['en', 'The caller gave surname Whitehorse and hung up.', 'Whitehorse'],
    ['es', 'Firma con apellido Zubizarreta.', 'Zubizarreta'],
    ['pt', 'O apelido Quintanilha está mal escrito.', 'Quintanilha'],
    ['fr', 'Remis à un certain Kergoat, sans signature.', 'Kergoat'],
    ['it', 'Citofonare Bertolacci, secondo piano.', 'Bertolacci'],
    ['es', 'Los hermanos Etxeandia vendieron la finca.', 'Etxeandia'],
    ['pt', 'Bom dia, o seu Valdemir ligou de manhã.', 'Valdemir'],
    ['pt', 'Hoje a avó Iracema avisou por áudio.', 'Iracema'],
    ['es', 'Llamad al taller, preguntando por Begoña.', 'Begoña'],
    ['en', 'Please let Will know on Monday.', 'Will'],
    ['en', 'Witness May Thistlewood states that it rained.', 'May Thistlewood'],
    ['en', 'It happened because the Birtwhistle boy mocked us.', 'Birtwhistle'],
    ['en', 'SHIP TO\nMR D FOTHERINGHAM\nFLAT 2', 'D FOTHERINGHAM'],
  ])('%s: %s', (language, text, name) => {
    expect(people(text, language)).toContain(name);
  });

  it.each([
    ['en', 'last name Required, surname Unicode'],
    ['en', 'The Scout boys and the Lego kids came.'],
    ['pt', 'O seu Cartão trabalha com o seu Banco.'],
    ['en', 'Ask for help and let Postgres know.'],
  ])('is none where it is no surname: %s: %s', (language, text) => {
    expect(people(text, language)).toEqual([]);
  });
});

describe('an office or a vote', () => {
  it.each([
    ['de', 'Vorsitz: Riemenschneider. Dagegen: Wüstenhagen.', ['Riemenschneider', 'Wüstenhagen']],
    ['fr', 'Secrétaire de séance : Lachenal.', ['Lachenal']],
    ['nl', 'Voorzitter: Hoekema.', ['Hoekema']],
    ['pl', 'Przewodniczący: Wojtasik.', ['Wojtasik']],
    ['de', 'Teilnehmer: Öztürk, Mbeki-Lorenz.', ['Öztürk', 'Mbeki-Lorenz']],
  ])('%s: %s', (language, text, names) => {
    expect(people(text, language)).toEqual(names);
  });

  it.each([
    ['en', 'Treasurer: Vacant. Against: Windows.'],
    ['it', 'Segretario: assente. Contrari: Nessuno.'],
    ['de', 'Protokoll: Entwurf. Leitung: Glasfaser.'],
    ['es', 'Informe del paciente: Varón de 33 años.'],
  ])('is none where nobody has it: %s: %s', (language, text) => {
    expect(people(text, language)).toEqual([]);
  });
});

describe('who does what only people do, beside somebody', () => {
  it('is somebody', () => {
    expect(people('Priya Nair asked why. Rowntree will check with them.', 'en')).toEqual([
      'Priya Nair',
      'Rowntree',
    ]);
    expect(people('Who does what? Will will look at the tests.', 'en')).toEqual(['Will']);
  });

  it('is no program', () => {
    expect(people('Ada Lind said no. Terraform will check the state.', 'en')).toEqual(['Ada Lind']);
  });
});
