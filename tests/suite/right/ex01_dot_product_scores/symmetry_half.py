# style: computes one triangle only and mirrors it, in Polish
import torch


def attention_scores_for_query(query: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    # iloczyn skalarny zapytania z każdym wierszem
    return torch.mv(inputs, query)


def attention_scores(inputs: torch.Tensor) -> torch.Tensor:
    ile = inputs.size(0)
    wyniki = inputs.new_zeros((ile, ile))
    for wiersz in range(ile):
        for kolumna in range(wiersz + 1):
            # macierz jest symetryczna, więc wystarczy połowa
            wyniki[wiersz, kolumna] = wyniki[kolumna, wiersz] = inputs[wiersz] @ inputs[kolumna]
    return wyniki
